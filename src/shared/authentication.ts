import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isJsonObject} from '../text/json.ts';

/** A variable of an `env_var` method. */
export interface AuthVariable {
  readonly name: string;
  readonly label?: string;
  readonly secret: boolean;
  readonly optional: boolean;
}

/** "Authentication Methods", the kind `env_var`; not in the SDK's types. */
export interface AuthMethodVariables {
  readonly type: 'env_var';
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
  readonly vars: readonly AuthVariable[];
  /** URL where the user can get the values. */
  readonly link?: string;
}

/** A method of a kind outside the protocol. */
interface AuthMethodUnknown {
  readonly type: 'unknown';
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
  /** As sent by the agent. */
  readonly kind: string;
}

/** A sign-in method of an agent ("Authentication"). */
export type AuthMethod = acp.AuthMethod | AuthMethodVariables | AuthMethodUnknown;

/** A program that signs in, run in the user's terminal. */
export interface SignInProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the inherited environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** How to sign in with a method. */
export type SignInWay =
  /** By the agent itself, with `authenticate`. */
  | {readonly kind: 'agent'}
  /** With this program; never with `authenticate`. */
  | {readonly kind: 'terminal'; readonly program: SignInProgram}
  /** By restarting the agent with these variables, and then `authenticate`. */
  | {readonly kind: 'env_var'; readonly method: AuthMethodVariables}
  | {readonly kind: 'unknown'; readonly name: string};

/** Returns how to sign in with a method. The protocol takes precedence over the older `_meta["terminal-auth"]`, which contains a whole command. */
export function signInWayOf(method: AuthMethod, agent: SignInProgram): SignInWay {
  if (!('type' in method)) {
    const program = ownProgram(method, agent);
    return program ? {kind: 'terminal', program} : {kind: 'agent'};
  }
  if (method.type === 'env_var') return {kind: 'env_var', method};
  if (method.type === 'unknown') return {kind: 'unknown', name: method.kind};
  const {command, args, env} = agent;
  const program = {command, args: [...args, ...(method.args ?? [])], env: {...env, ...method.env}};
  return {kind: 'terminal', program};
}

/** Maximum width of the arguments added to an agent's command that is always shown in full in the list of methods. */
const FEW_COLUMNS = 20;

/** True for the agent's own command with a few plain arguments added: it needs no confirmation. */
export function isAgentItself({command, args, env}: SignInProgram, agent: SignInProgram): boolean {
  const more = args.slice(agent.args.length).join(' ');
  return (
    command === agent.command &&
    agent.args.every((word, index) => args[index] === word) &&
    Object.entries(env).every(([name, value]) => agent.env[name] === value) &&
    more.length <= FEW_COLUMNS &&
    /^[\w.=: -]*$/.test(more)
  );
}

/** Parses `_meta["terminal-auth"]`: `{command, args, env, label}`; undefined if it is invalid. */
function ownProgram({_meta}: acp.AuthMethodAgent, agent: SignInProgram): SignInProgram | undefined {
  const meta = _meta?.['terminal-auth'];
  if (!isJsonObject(meta)) return undefined;
  const {command, args = [], env = {}} = meta;
  if (typeof command !== 'string' || command === '') return undefined;
  if (!Array.isArray(args) || !args.every(isText) || !isJsonObject(env)) return undefined;
  const variables = Object.entries(env).filter((pair): pair is [string, string] => isText(pair[1]));
  return {command, args, env: {...agent.env, ...Object.fromEntries(variables)}};
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The sign-in status of an agent: the draft `auth/status`, or its `auth/status_update`. */
export type AuthStatus = Pick<acp.AuthStatusResponse, 'state' | 'accounts'>;

/** True if the agent reports the sign-in status; false if unspecified. */
export function supportsAuthStatus(capabilities: acp.AgentCapabilities | undefined): boolean {
  return capabilities?.auth?.status !== undefined && capabilities.auth.status !== null;
}

/** "Logging Out": true if the agent can sign out; false if unspecified. */
export function canLogOut(capabilities: acp.AgentCapabilities | undefined): boolean {
  return capabilities?.auth?.logout !== undefined && capabilities.auth.logout !== null;
}

const STATES: Readonly<Record<string, string>> = {
  authenticated: 'signed in',
  unauthenticated: 'not signed in',
  not_required: 'no sign-in needed',
};

/** Returns a label such as `signed in: Team plan (ann@example.com)`; undefined if the agent reports nothing known. */
export function authStatusLabel(status: AuthStatus | undefined): string | undefined {
  if (!status) return undefined;
  const {state, accounts = []} = status;
  const words = Object.hasOwn(STATES, state) ? STATES[state] : undefined;
  const inUse = accounts.filter(({active}) => active === true);
  const named = (inUse.length > 0 ? inUse : accounts).map(accountLabel).join('; ');
  return [words, named].filter(Boolean).join(': ') || undefined;
}

function accountLabel({label, name, email, organization}: acp.AuthAccount): string {
  const more = [name, email, organization].filter(Boolean).join(', ');
  return more === '' ? label : `${label} (${more})`;
}

/** Parses `_auth/status_update`, an extension of the Claude and Codex adapters, into the draft's form; undefined if it is invalid. */
export function readAuthStatusUpdate(params: unknown): AuthStatus | undefined {
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
