import type * as acp from '@agentclientprotocol/sdk/unstable';

/** What an agent says of the user's accounts: the draft `auth/status`, or its `auth/status_update`. */
export type AuthStatus = Pick<acp.AuthStatusResponse, 'state' | 'accounts'>;

/** Whether the agent can be asked how the user is signed in; unsaid means no. */
export function tellsAuthStatus(capabilities: acp.AgentCapabilities | undefined): boolean {
  return capabilities?.auth?.status !== undefined && capabilities.auth.status !== null;
}

/** "Logging Out": whether the agent can end what it was signed in with; unsaid means no. */
export function canLogOut(capabilities: acp.AgentCapabilities | undefined): boolean {
  return capabilities?.auth?.logout !== undefined && capabilities.auth.logout !== null;
}

const STATES: Readonly<Record<string, string>> = {
  authenticated: 'signed in',
  unauthenticated: 'not signed in',
  not_required: 'no sign-in needed',
};

/** In words: `signed in: Team plan (ann@example.com)`; undefined where the agent says nothing that is known. */
export function authStatusWords(status: AuthStatus | undefined): string | undefined {
  if (!status) return undefined;
  const {state, accounts = []} = status;
  const words = Object.hasOwn(STATES, state) ? STATES[state] : undefined;
  const inUse = accounts.filter(({active}) => active === true);
  const named = (inUse.length > 0 ? inUse : accounts).map(accountWords).join('; ');
  return [words, named].filter(Boolean).join(': ') || undefined;
}

function accountWords({label, name, email, organization}: acp.AuthAccount): string {
  const more = [name, email, organization].filter(Boolean).join(', ');
  return more === '' ? label : `${label} (${more})`;
}

/** What the adapters of Claude and Codex tell (`_auth/status_update`, an extension), in the form of the draft; undefined for anything else. */
export function toldAuthStatus(params: unknown): AuthStatus | undefined {
  const status = fieldOf(params, 'authStatus');
  const label = textOf(status, 'label');
  if (label === undefined) return undefined;
  if (fieldOf(status, 'kind') === 'none') return {state: 'unauthenticated'};
  const account = fieldOf(status, 'account') ?? status;
  const name = textOf(status, 'detail');
  const email = textOf(account, 'email');
  const organization = textOf(account, 'organization');
  return {
    state: 'authenticated',
    accounts: [
      {
        label,
        name: name === email ? null : (name ?? null),
        email: email ?? null,
        organization: organization ?? null,
      },
    ],
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function textOf(value: unknown, name: string): string | undefined {
  const text = fieldOf(value, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
}
