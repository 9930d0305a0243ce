import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import type {AnyMessage} from '@agentclientprotocol/sdk/unstable';
import {describe, expect, onTestFinished, test} from 'vitest';
import {WebSocket} from 'ws';
import {bridgeTo} from '../../../src/modes/serve/bridge.ts';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {
  allowed,
  loggedBridge,
  makeRemote,
  scriptedBridge,
  serveBridge,
  token,
  upgradeStatus,
} from './open-remote.ts';

const MIB = 1024 * 1024;

const initialize = {jsonrpc: '2.0', id: 0, method: 'initialize', params: {protocolVersion: 1}};
const opening = {jsonrpc: '2.0', id: 1, method: 'session/new', params: {cwd: '/', mcpServers: []}};
const prompt = {
  jsonrpc: '2.0',
  id: 2,
  method: 'session/prompt',
  params: {sessionId: 'session-1', prompt: [{type: 'text', text: 'go'}]},
};

/** Starts a turn over a WebSocket and reads nothing of it. */
async function readNothingOverWs(address: string): Promise<void> {
  const socket = new WebSocket(`ws://${address}`, {headers: allowed});
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  for (const message of [initialize, opening]) {
    socket.send(JSON.stringify(message));
    await once(socket, 'message');
  }
  socket.pause();
  socket.send(JSON.stringify(prompt));
}

/** The same over HTTP. */
async function readNothingOverHttp(address: string): Promise<void> {
  const url = `http://${address}`;
  const aborted = new AbortController();
  onTestFinished(() => aborted.abort());
  const post = (message: object, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {...allowed, 'content-type': 'application/json', ...headers},
      body: JSON.stringify(message),
    });
  const opened = await post(initialize);
  const connection = {'acp-connection-id': opened.headers.get('acp-connection-id') ?? ''};
  const listen = (headers: Record<string, string>) =>
    fetch(url, {headers: {...allowed, accept: 'text/event-stream', ...headers}, signal: aborted.signal});
  const session = {...connection, 'acp-session-id': 'session-1'};
  await listen(connection);
  await listen(session);
  await post(opening, connection);
  await post(prompt, session);
}

test.each([
  ['ws', readNothingOverWs],
  ['http', readNothingOverHttp],
])(
  'over %s, the agent of a client that stops reading waits, until the client is dropped',
  async (_, read) => {
    let written = 0;
    const bridge = loggedBridge(
      (text) => (written = Number(text.match(/\d+(?=\n)/g)?.at(-1) ?? written)),
      'flood',
      '500000',
      'x'.repeat(1000),
      'counted',
    );
    const {address} = await serveBridge(bridge, {unreadBytes: MIB, unreadMs: 2000});
    await read(address);
    await expect.poll(() => written, {timeout: 30_000}).toBeGreaterThan(0);
    await expect.poll(() => bridge.running(), {timeout: 60_000}).toBe(0);
    // What the server may hold, and the buffers of the system on the way.
    expect(written).toBeLessThan(24 * MIB);
  },
);

test('at most 32 agents run at once, however the requests look; another connection is accepted when one has ended', async () => {
  let isFull = false;
  const {address} = await serveBridge({...scriptedBridge('echo'), isFull: () => isFull});
  expect(await upgradeStatus(address, allowed)).toBe(101);
  isFull = true;
  for (const id of [{}, {'acp-connection-id': 'one'}, {'acp-connection-id': ''}]) {
    const headers = {...allowed, ...id};
    expect(await upgradeStatus(address, headers)).toBe(503);
    const posted = await fetch(`http://${address}`, {
      method: 'POST',
      headers: {...headers, 'content-type': 'application/json'},
      body: JSON.stringify(initialize),
    });
    // With an ID, it is not a request that starts an agent.
    expect(posted.status).toBe(id['acp-connection-id'] === 'one' ? 400 : 503);
  }
  const opened = await makeRemote(`ws://${address}`, {token}).conversation.open();
  expect(opened.ok ? '' : failureSentence(opened.failure)).toContain('overloaded');
  isFull = false;
  expect(await upgradeStatus(address, allowed)).toBe(101);
});

test('a bridge starts no agent beyond the limit', async () => {
  const bridge = bridgeTo(
    {label: 'cat', command: 'cat', args: [], env: {}},
    {cwd: import.meta.dirname, onFailure: () => {}},
  );
  const stream = () => {
    const {readable, writable} = new TransformStream<AnyMessage, AnyMessage>();
    return {readable, writable, end: () => writable.abort()};
  };
  const running = Array.from({length: 32}, stream);
  for (const each of running) bridge.connect(each);
  expect(bridge.isFull()).toBe(true);
  await bridge.connect(stream()).closed;
  expect(bridge.running()).toBe(32);
  await Promise.all(running.map(({end}) => end().catch(() => {})));
  await bridge.ended();
});

/** A connection that never closes its own side. */
async function stubborn(address: string, sent = ''): Promise<Socket> {
  const {hostname, port} = new URL(`http://${address}`);
  const socket = connect({host: hostname, port: Number(port), allowHalfOpen: true});
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}).resume();
  await once(socket, 'connect');
  socket.write(sent);
  return socket;
}

/** Resolves when the server has closed both directions of the connection. */
async function isClosed(socket: Socket): Promise<void> {
  await expect
    .poll(
      () => {
        socket.write('x');
        return socket.closed;
      },
      {timeout: 30_000},
    )
    .toBe(true);
}

const UPGRADE = [
  'connection: upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
];
const TOKEN = `authorization: Bearer ${token}`;

function headersOf(method: string, lines: readonly string[]): string {
  return `${[`${method} /acp HTTP/1.1`, 'host: localhost', ...lines].join('\r\n')}\r\n\r\n`;
}

test('connections of refused requests are closed, also if their senders keep them open', async () => {
  const {address} = await serveBridge(scriptedBridge('echo'), {sockets: 8});
  const refused = [headersOf('GET', UPGRADE), headersOf('POST', ['content-length: 5000'])];
  for (const request of refused) await isClosed(await stubborn(address, request));
  for (let count = 0; count < 20; count++) await stubborn(address, refused[0]);
  expect(await upgradeStatus(address, allowed)).toBe(101);
});

test('connections that never send a request do not keep a client out', async () => {
  const {address} = await serveBridge(scriptedBridge('echo'), {sockets: 4});
  const client = new WebSocket(`ws://${address}`, {headers: allowed});
  onTestFinished(() => client.terminate());
  await once(client, 'open');
  for (let count = 0; count < 20; count++) await stubborn(address);
  expect(await upgradeStatus(address, allowed)).toBe(101);
  expect(client.readyState).toBe(WebSocket.OPEN);
});

describe('a connection is closed', () => {
  const limits = {headersMs: 200, requestMs: 200, firstMessageMs: 200, idleMs: 200};
  const body = JSON.stringify({jsonrpc: '2.0', id: 0, method: 'other'});

  test.each([
    ['without a request', ''],
    ['whose headers do not end', `POST /acp HTTP/1.1\r\n${TOKEN}\r\n`],
    ['whose body does not end', headersOf('POST', [TOKEN, 'content-length: 5000'])],
    ['without a message after the upgrade', headersOf('GET', [TOKEN, ...UPGRADE])],
    [
      'without another request',
      headersOf('POST', [TOKEN, 'content-type: application/json', `content-length: ${body.length}`]) + body,
    ],
  ])('%s', async (_, sent) => {
    const bridge = scriptedBridge('echo');
    const {address} = await serveBridge(bridge, limits);
    const socket = await stubborn(address, sent);
    await once(socket, 'end', {signal: AbortSignal.timeout(30_000)});
    await isClosed(socket);
    await expect.poll(() => bridge.running(), {timeout: 30_000}).toBe(0);
  });
});
