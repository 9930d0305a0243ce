import {once} from 'node:events';
import type {ServerResponse} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import type {AnyMessage} from '@agentclientprotocol/sdk/unstable';
import {MemoryAcpCookieStore} from '@agentclientprotocol/sdk/experimental/ws-client';
import * as fc from 'fast-check';
import {expect, onTestFinished, test} from 'vitest';
import {WebSocketServer} from 'ws';
import {openHttpStream} from '../../../src/agents/remote/http.ts';
import type {RemoteStream} from '../../../src/agents/remote/stream.ts';
import {openWebSocket} from '../../../src/agents/remote/websocket.ts';
import type {Result} from '../../../src/shared/failure.ts';
import {serve} from '../../support/servers/servers.ts';

/** A network is slower than a screen: a tenth of the streams of `npm run fuzz`. */
const RUNS = Math.ceil(Number(process.env['FUZZ_STREAMS'] ?? 100) / 10);
const SEED = process.env['FUZZ_SEED'];

const target = (url: string) => ({
  url: new URL(url),
  shown: url,
  headers: {},
  cookieStore: new MemoryAcpCookieStore(),
});
const message = (text: string) => JSON.stringify({jsonrpc: '2.0', method: '_said', params: {text}});

/** Bytes that break what they come in: at random, or what a header of a frame or a line of an event begins with. */
const noise = fc.oneof(
  fc.uint8Array({maxLength: 64}),
  fc
    .tuple(
      fc.constantFrom(0x00, 0x01, 0x02, 0x09, 0x0a, 0x80, 0x81, 0x88, 0xc1, 0xff),
      fc.uint8Array({maxLength: 20}),
    )
    .map(([first, rest]) => Uint8Array.of(first, ...rest)),
  fc
    .constantFrom(
      'data:',
      'data: {',
      'event: x\n',
      ':',
      '\r',
      '\n\n',
      'id: 1\nretry: 0\n\n',
      'data: []\n\n',
      '\u{FEFF}',
    )
    .map((text) => Buffer.from(text)),
);

/** What a server sends: whole messages, then noise, cut in pieces anywhere. */
const streams = fc.record({
  texts: fc.array(fc.string(), {maxLength: 5}),
  noise: fc.array(noise, {minLength: 1, maxLength: 4}),
  piece: fc.integer({min: 1, max: 50}),
});

function pieces(bytes: Buffer, size: number): readonly Buffer[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({length: count}, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

/** A frame of a server with this text ("Base Framing Protocol", RFC 6455). */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const header =
    payload.length < 126 ? [0x81, payload.length] : [0x81, 126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from(header), payload]);
}

/** Resolves to the texts received until the connection has ended. Fails if the end is not reported as a sentence. */
async function received(opened: Result<RemoteStream>, first?: AnyMessage): Promise<readonly string[]> {
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  const {stream} = opened.value;
  if (first) await stream.writable.getWriter().write(first);
  const texts: string[] = [];
  const reader = stream.readable.getReader();
  let error: unknown;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      if ('method' in next.value && next.value.method === '_said')
        texts.push((next.value.params as {text: string}).text);
  } catch (reason) {
    error = reason;
  }
  expect(opened.value.failureOf(error)).toMatchObject({
    kind: expect.stringMatching(/connection_lost|message_too_large/),
  });
  opened.value.terminate();
  return texts;
}

type Sent = typeof streams extends fc.Arbitrary<infer Value> ? Value : never;

/** Resolves to what went wrong, in words; null if nothing did. */
async function fuzz(send: (sent: Sent) => Promise<readonly string[]>): Promise<string | null> {
  const property = fc.asyncProperty(streams, async (sent) => {
    // Noise may happen to be a message; what was sent before it comes first.
    expect((await send(sent)).slice(0, sent.texts.length)).toEqual(sent.texts);
  });
  const runs = await fc.check(property, {
    numRuns: RUNS,
    interruptAfterTimeLimit: 100_000,
    ...(SEED !== undefined && {seed: Number(SEED)}),
  });
  return fc.defaultReportMessage(runs) ?? null;
}

test('whatever comes in the frames of a WebSocket, the messages before it arrive and the connection ends in words', async () => {
  let sent: Sent | undefined;
  const server = new WebSocketServer({host: '127.0.0.1', port: 0});
  onTestFinished(() => server.close());
  server.on('connection', (client, {socket}: {socket: Socket}) => {
    client.on('error', () => {});
    const {texts = [], noise: bytes = [], piece = 1} = sent ?? {};
    const all = Buffer.concat([...texts.map((text) => frame(message(text))), ...bytes]);
    for (const part of pieces(all, piece)) socket.write(part);
    socket.end();
  });
  await once(server, 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const wrong = await fuzz(async (stream) => {
    sent = stream;
    return received(await openWebSocket(target(url)));
  });
  expect(wrong).toBeNull();
});

test('whatever comes in a stream of events, the messages before it arrive and the connection ends in words', async () => {
  let sent: Sent | undefined;
  function stream(events: ServerResponse): void {
    const {texts = [], noise: bytes = [], piece = 1} = sent ?? {};
    const all = Buffer.concat([...texts.map((text) => Buffer.from(`data: ${message(text)}\n\n`)), ...bytes]);
    for (const part of pieces(all, piece)) events.write(part);
    events.end();
  }
  const url = await serve((request, response) => {
    request.resume();
    if (request.method === 'GET')
      return stream(response.writeHead(200, {'content-type': 'text/event-stream'}));
    response.setHeader('acp-connection-id', 'one');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({jsonrpc: '2.0', id: 0, result: {protocolVersion: 1}}));
  });
  const initialize = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {protocolVersion: 1},
  } as AnyMessage;
  const wrong = await fuzz((now) => {
    sent = now;
    return received(openHttpStream(target(url)), initialize);
  });
  expect(wrong).toBeNull();
});
