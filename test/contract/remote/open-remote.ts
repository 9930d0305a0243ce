import {onTestFinished} from 'vitest';
import {WebSocket} from 'ws';
import {remoteAgent, type RemoteSettings} from '../../../src/agents/remote/address.ts';
import type {AgentCommand} from '../../../src/agents/resolve.ts';
import type {ConversationOptions} from '../../../src/conversation/options.ts';
import {bridgeTo, type Bridge} from '../../../src/modes/serve/bridge.ts';
import {serveAgents} from '../../../src/modes/serve/server.ts';
import {makeConversation, type OpenedConversation} from '../conversation/open-conversation.ts';
import {launchAgentHere} from '../../support/agent-here.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';

/** The scripted agent as the SDK's server starts it. */
export function scriptedBridge(...scenario: readonly string[]): Bridge {
  return loggedBridge(() => {}, ...scenario);
}

/** The scripted agent as the SDK's server starts it; `log` gets what it writes on stderr. */
export function loggedBridge(log: (text: string) => void, ...scenario: readonly string[]): Bridge {
  const agent = {label: 'fake', command: process.execPath, args: [FAKE_AGENT, ...scenario], env: {}};
  return bridgeTo(agent, {
    cwd: import.meta.dirname,
    launch: launchAgentHere,
    log,
    onFailure: (failure) => {
      throw new Error(JSON.stringify(failure));
    },
  });
}

export const token = 'a-token-for-this-test';
/** Headers of a request that is allowed. */
export const allowed = {authorization: `Bearer ${token}`};

/** Serves the agents of a bridge until the test ends. */
export async function serveBridge(bridge: Bridge, limits: Parameters<typeof serveAgents>[1]['limits'] = {}) {
  const server = await serveAgents(bridge, {host: '127.0.0.1', port: 0, token, limits});
  if (!server.ok) throw new Error(JSON.stringify(server.failure));
  onTestFinished(() => server.value.close());
  return server.value;
}

/** The status with which an upgrade with these headers is answered: 101 if it is accepted. */
export async function upgradeStatus(address: string, headers: Record<string, string>): Promise<number> {
  const {promise, resolve} = Promise.withResolvers<number>();
  const socket = new WebSocket(`ws://${address}`, {headers});
  socket.on('unexpected-response', (_, {statusCode = 0}) => {
    resolve(statusCode);
    socket.terminate();
  });
  socket.on('open', () => {
    resolve(101);
    socket.terminate();
  });
  socket.on('error', () => {});
  return promise;
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
  options: Partial<ConversationOptions> = {},
): OpenedConversation {
  const offer = {fs: false, terminal: false};
  return makeConversation([], {agent: agentAt(url, settings), offer, ...options});
}

export async function openRemote(...args: Parameters<typeof makeRemote>): Promise<OpenedConversation> {
  const made = makeRemote(...args);
  const opened = await made.conversation.open();
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return made;
}
