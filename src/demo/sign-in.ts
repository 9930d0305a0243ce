import {createInterface} from 'node:readline/promises';
import {RequestError, type AgentApp} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';

/** Simulated accounts: the user is signed in from the start, and `logout` ends that. */
export interface DemoAccount {
  name: string | undefined;
}

export const LOGIN = '--login';
const KEY = 'ACP_TUI_DEMO_KEY';

/** Reset on each start: signing in with a key restarts the agent. */
export function demoAccount(): DemoAccount {
  return {name: process.env[KEY] ? 'Demo key' : 'Demo plan'};
}

/** A method of each kind ("Authentication Methods"); the SDK does not know `env_var`. */
export function authMethods(client: acp.ClientCapabilities): acp.AuthMethod[] {
  const methods = [
    {id: 'demo', name: 'By the agent itself'},
    {id: 'terminal', name: 'In the terminal', type: 'terminal' as const, args: [LOGIN]},
    {id: 'key', name: 'With a key', type: 'env_var', vars: [{name: KEY, label: 'Any words will do'}]},
  ];
  return methods.filter(({type}) => type !== 'terminal' || client.auth?.terminal === true);
}

/** "Authentication", "Logging Out" and the draft `auth/status`. */
export function registerSignIn(app: AgentApp, account: DemoAccount): void {
  app
    .onRequest('authenticate', ({params}) => {
      if (params.methodId === 'key' && !process.env[KEY])
        throw RequestError.invalidParams(undefined, `${KEY} is not set`);
      account.name = params.methodId === 'key' ? 'Demo key' : 'Demo plan';
      return {};
    })
    .onRequest('logout', () => {
      account.name = undefined;
      return {};
    })
    .onRequest('auth/status', () =>
      account.name === undefined
        ? {state: 'unauthenticated'}
        : {state: 'authenticated', accounts: [{label: account.name, active: true}]},
    );
}

export function checkSignedIn({name}: DemoAccount): void {
  if (name === undefined) throw RequestError.authRequired();
}

/** The sign-in in a terminal: accepts any line of text. */
export async function login(): Promise<void> {
  const lines = createInterface({input: process.stdin, output: process.stdout});
  await lines.question('This is the sign-in of the demo agent. Type anything and press Enter: ');
  lines.close();
}
