import {onTestFinished} from 'vitest';
import type {AgentProcess} from '../../../src/agents/launch.ts';
import {connect} from '../../../src/protocol/connect.ts';
import type {Connection} from '../../../src/protocol/connection.ts';
import type {ClientHandlers, WireMessage} from '../../../src/protocol/handlers-interface.ts';
import {stdioTransport} from '../../../src/protocol/transport.ts';
import type {Update} from '../../../src/session/events.ts';
import {launchAgentHere} from '../../support/agent-here.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';

export const clientInfo = {name: 'acp-tui-test', version: '0.0.0'};

/** A connection that records what it received. */
export interface Recorded {
  readonly connection: Connection;
  readonly updates: Update[];
  readonly wire: WireMessage[];
  readonly log: string[];
  /** The text of all agent messages so far. */
  readonly said: () => string;
}

/** Handlers that record updates and cancel every permission request, overridden by others. */
export function recordingHandlers(updates: Update[], own: Partial<ClientHandlers> = {}): ClientHandlers {
  return {
    sessionUpdate: (_, update) => void updates.push(update),
    requestPermission: async () => ({outcome: {outcome: 'cancelled'}}),
    ...own,
  };
}

export function textOf(updates: readonly Update[]): string {
  return updates
    .map((update) =>
      update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
        ? update.content.text
        : '',
    )
    .join('');
}

/** Starts a scenario of the fake agent, not yet initialized. It is killed when the test ends. */
export async function connectFake(
  scenario: readonly string[],
  handlers: Partial<ClientHandlers> = {},
): Promise<Recorded & {process: AgentProcess}> {
  const launched = await launchAgentHere(
    {label: 'fake', command: process.execPath, args: [FAKE_AGENT, ...scenario], env: {}},
    {cwd: process.cwd()},
  );
  if (!launched.ok) throw new Error(JSON.stringify(launched.failure));
  onTestFinished(() => launched.value.killNow());
  const updates: Update[] = [];
  const wire: WireMessage[] = [];
  const log: string[] = [];
  const connection = connect(stdioTransport(launched.value), recordingHandlers(updates, handlers), {
    clientInfo,
    command: 'fake',
    onWire: (message) => wire.push(message),
    log: (level, text) => void (level === 'debug' || log.push(text)),
  });
  return {connection, updates, wire, log, said: () => textOf(updates), process: launched.value};
}

/** Connects to the fake agent, with `initialize` and `session/new` done. */
export async function openFake(scenario: readonly string[], handlers: Partial<ClientHandlers> = {}) {
  const fake = await connectFake(scenario, handlers);
  valueOf(await fake.connection.initialize({fs: true, terminal: true}));
  const session = valueOf(
    await fake.connection.newSession({cwd: '/home/user', additionalDirectories: [], mcpServers: []}),
  );
  return {
    ...fake,
    session,
    prompt: (text: string) => fake.connection.prompt(session.sessionId, [{type: 'text', text}]),
  };
}

export function valueOf<T>(result: {ok: true; value: T} | {ok: false; failure: unknown}): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}
