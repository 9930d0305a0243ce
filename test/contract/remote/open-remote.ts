import {join} from 'node:path';
import {remoteAgent, type RemoteSettings} from '../../../src/agents/remote/address.ts';
import type {AgentCommand} from '../../../src/agents/resolve.ts';
import type {ClientOptions} from '../../../src/client/options.ts';
import {bridgeTo} from '../../../src/serve/bridge.ts';
import {makeClient, type OpenedClient} from '../client/open-client.ts';

const fakeAgent = join(import.meta.dirname, '../../../fixtures/fake-agent/main.ts');

/** The scripted agent as the SDK's server starts it. */
export function scripted(...scenario: readonly string[]) {
  const agent = {label: 'fake', command: process.execPath, args: [fakeAgent, ...scenario], env: {}};
  return bridgeTo(agent, {
    cwd: import.meta.dirname,
    onFailure: (failure) => {
      throw new Error(JSON.stringify(failure));
    },
  });
}

/** The agent at a URL, configured as `there`. */
export function agentAt(
  url: string,
  settings: Partial<RemoteSettings> & {readonly cwd?: string} = {},
): AgentCommand {
  const {cwd, ...others} = settings;
  const agent = remoteAgent('there', {url, ...others}, cwd);
  if (!agent.ok) throw new Error(JSON.stringify(agent.failure));
  return {label: 'there', byName: true, env: {}, ...agent.value};
}

/** A client of it, built from the settings; it connects only when opened. */
export function makeRemote(
  url: string,
  settings: Parameters<typeof agentAt>[1] = {},
  options: Partial<ClientOptions> = {},
): OpenedClient {
  const offer = {fs: false, terminal: false};
  return makeClient([], {agent: agentAt(url, settings), offer, ...options});
}

export async function openRemote(...args: Parameters<typeof makeRemote>): Promise<OpenedClient> {
  const made = makeRemote(...args);
  const opened = await made.client.open();
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return made;
}
