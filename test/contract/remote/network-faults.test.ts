import {once} from 'node:events';
import type {ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {agent, methods, type AgentContext, type AnyMessage} from '@agentclientprotocol/sdk/unstable';
import {MemoryAcpCookieStore} from '@agentclientprotocol/sdk/experimental/ws-client';
import {describe, expect, onTestFinished, test} from 'vitest';
import {WebSocketServer} from 'ws';
import {openHttpStream} from '../../../src/agents/remote/http.ts';
import {openWebSocket} from '../../../src/agents/remote/websocket.ts';
import type {RemoteStream} from '../../../src/agents/remote/stream.ts';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {messageText} from '../../../src/session/selectors.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {serve} from '../../support/servers/servers.ts';
import {idle} from '../conversation/open-conversation.ts';
import {faultyNetwork, type FaultyNetwork} from './faulty-network.ts';
import {openRemote} from './open-remote.ts';
import {serveAgent} from '../../support/servers/remote-server.ts';

const {session} = methods.agent;

/** What the agent does in its first turn before it waits, and how that looks here. */
interface Moment {
  readonly act: (client: AgentContext) => Promise<unknown>;
  /** True if that is over only when it was answered. */
  readonly waits?: boolean;
  readonly isThere: (state: SessionState) => boolean;
  /** What is to be seen once the session was loaded again and the turn has gone on. */
  readonly after: (state: SessionState) => boolean;
}

const update = (client: AgentContext, update: object) =>
  client.notify(methods.client.session.update, {sessionId: 's', update} as never);
const say = (client: AgentContext, text: string) =>
  update(client, {sessionUpdate: 'agent_message_chunk', messageId: text, content: {type: 'text', text}});
const texts = ({entries}: SessionState) =>
  entries.flatMap((entry) => (entry.type === 'agent_message' ? [messageText(entry)] : []));
const calls = ({entries}: SessionState) => entries.filter((entry) => entry.type === 'tool_call');

const MOMENTS: Readonly<Record<string, Moment>> = {
  'a stream': {
    act: (client) => say(client, 'half of it'),
    isThere: (state) => texts(state).includes('half of it'),
    after: (state) => texts(state).filter((text) => text === 'half of it').length === 1,
  },
  'a permission': {
    waits: true,
    act: (client) =>
      client.request(methods.client.session.requestPermission, {
        sessionId: 's',
        toolCall: {toolCallId: 't', title: 'write it', status: 'pending'},
        options: [{optionId: 'yes', name: 'Yes', kind: 'allow_once'}],
      }),
    isThere: ({pending}) => pending.length === 1,
    after: ({pending}) => pending.length === 1,
  },
  'a tool call': {
    act: (client) =>
      update(client, {sessionUpdate: 'tool_call', toolCallId: 't', title: 'work', status: 'in_progress'}),
    isThere: (state) => calls(state).length === 1,
    after: (state) => calls(state).length === 1 && calls(state)[0]?.status === 'completed',
  },
};

/** An agent whose turn continues when its session is loaded: it replays its work and finishes it. `poke` makes it send a message. */
function patientAgent({act, waits = false}: Moment) {
  let isStarted = false;
  let poked: string | undefined;
  let current: AgentContext | undefined;
  const app = agent({name: 'patient'})
    .onRequest(methods.agent.initialize, () => ({protocolVersion: 1, agentCapabilities: {loadSession: true}}))
    .onRequest(session.new, () => ({sessionId: 's'}))
    .onRequest(session.load, async ({client}) => {
      await update(client, {
        sessionUpdate: 'user_message_chunk',
        messageId: 'u',
        content: {type: 'text', text: 'do it'},
      });
      if (poked !== undefined) await say(client, poked);
      const acted = act(client).catch(() => {});
      if (!waits) await acted;
      setImmediate(() => {
        void update(client, {sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed'});
        void say(client, 'the rest');
      });
      return {};
    })
    .onRequest(session.prompt, async ({client}) => {
      if (isStarted) return {stopReason: 'end_turn' as const};
      isStarted = true;
      current = client;
      void act(client).catch(() => {});
      return new Promise<never>(() => {});
    });
  return {
    app,
    poke: (text: string): void => {
      poked = text;
      if (current) void say(current, text).catch(() => {});
    },
  };
}

const isBack = ({connection, entries}: SessionState) =>
  connection.kind === 'ready' && JSON.stringify(entries).includes('Reconnected to the agent.');

describe.each(['ws', 'http'] as const)('over %s, in the middle of', (kind) => {
  describe.each(Object.entries(MOMENTS))('%s,', (_, moment) => {
    test.each<[string, (network: FaultyNetwork) => void]>([
      ['a cut', (network) => network.cut()],
      ['half a message', (network) => network.halve()],
    ])('%s loses nothing that the agent can replay', async (_fault, disturb) => {
      const {app, poke} = patientAgent(moment);
      const served = await serveAgent(app);
      const network = await faultyNetwork(served.port);
      const {prompt, until} = await openRemote(network.through(served[kind]));
      prompt('do it');
      await until(moment.isThere, 'the moment');
      disturb(network);
      poke('what arrives by half');
      await until(isBack, 'the reconnection');
      const state = await until((now) => texts(now).includes('the rest') && moment.after(now), 'the rest');
      expect(state.entries.filter(({type}) => type === 'user_message')).toHaveLength(1);
      expect(texts(state).filter((text) => text.includes('arrives'))).toEqual(['what arrives by half']);
      prompt('again');
      await until(idle, 'the next turn');
    });
  });
});

/** A connection with one message sent. */
async function opened(stream: RemoteStream): Promise<ReadableStreamDefaultReader<AnyMessage>> {
  const initialize = {jsonrpc: '2.0', id: 0, method: 'initialize', params: {protocolVersion: 1}} as const;
  await stream.stream.writable.getWriter().write(initialize);
  return stream.stream.readable.getReader();
}

/** Resolves to the error message for a lost connection. */
async function loss(stream: RemoteStream): Promise<string> {
  const reader = await opened(stream);
  try {
    while (!(await reader.read()).done);
    return failureSentence(stream.failureOf(undefined));
  } catch (error) {
    return failureSentence(stream.failureOf(error));
  }
}

const target = (url: string) => ({
  url: new URL(url),
  shown: url,
  headers: {},
  cookieStore: new MemoryAcpCookieStore(),
});
const nobody = agent({name: 'nobody'}).onRequest(methods.agent.initialize, () => ({protocolVersion: 1}));

test('a WebSocket without a sign of life from its server is closed', async () => {
  const served = await serveAgent(nobody);
  const network = await faultyNetwork(served.port);
  const stream = await openWebSocket(target(network.through(served.ws)), {pingMs: 200});
  if (!stream.ok) throw new Error(JSON.stringify(stream.failure));
  const lost = loss(stream.value);
  network.stall();
  expect(await lost).toContain('sent nothing for 0.4 seconds');
});

test('a WebSocket whose server only answers pings stays open', async () => {
  const server = new WebSocketServer({host: '127.0.0.1', port: 0});
  onTestFinished(() => server.close());
  const pinged = new Promise<void>((resolve) => {
    server.on('connection', (socket) => {
      let pings = 0;
      socket.on('ping', () => ++pings === 5 && resolve());
    });
  });
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  const stream = await openWebSocket(target(`ws://127.0.0.1:${port}`), {pingMs: 50});
  if (!stream.ok) throw new Error(JSON.stringify(stream.failure));
  const ended = loss(stream.value);
  expect(await Promise.race([ended, pinged.then(() => 'alive')])).toBe('alive');
  stream.value.terminate();
});

/** A server over HTTP that answers `initialize`, and hands its stream of events to `streamed`. */
function eventServer(streamed: (events: ServerResponse) => void): Promise<string> {
  const result = {protocolVersion: 1, agentCapabilities: {}};
  return serve((request, response) => {
    request.resume();
    if (request.method === 'POST') {
      response.setHeader('acp-connection-id', 'one');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({jsonrpc: '2.0', id: 0, result}));
      return;
    }
    response.writeHead(200, {'content-type': 'text/event-stream'});
    streamed(response);
  });
}

test('an event stream that stops sending signs of life is closed', async () => {
  const url = await eventServer((events) => void events.write(':\n\n'));
  const stream = openHttpStream(target(url), 200);
  if (!stream.ok) throw new Error(JSON.stringify(stream.failure));
  expect(await loss(stream.value)).toContain('sent nothing for 0.2 seconds');
});

test('an event stream that keeps sending signs of life, or never sent one, stays open', async () => {
  const beats = Promise.withResolvers<string>();
  let count = 0;
  const beating = await eventServer((events) => {
    const beat = setInterval(() => {
      events.write(':\n\n');
      if (++count === 75) beats.resolve('alive');
    }, 20);
    events.once('close', () => clearInterval(beat));
  });
  const quiet = await eventServer((events) => void events.write('data: {"jsonrpc":"2.0","method":"_x"}\n\n'));
  const streams = [beating, quiet].map((url) => openHttpStream(target(url), 1000));
  const ends = streams.map((stream) =>
    stream.ok ? loss(stream.value) : Promise.reject(new Error('not open')),
  );
  expect(await Promise.race([...ends, beats.promise])).toBe('alive');
  for (const stream of streams) if (stream.ok) stream.value.terminate();
  await Promise.all(ends);
});
