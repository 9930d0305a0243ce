import {once} from 'node:events';
import {createServer, type AddressInfo, type Socket} from 'node:net';
import {describe, expect, onTestFinished, test} from 'vitest';
import {WebSocketServer, type WebSocket} from 'ws';
import {MemoryAcpCookieStore} from '@agentclientprotocol/sdk/experimental/ws-client';
import {connectRemoteAgent} from '../../../src/agents/remote/remote-agent.ts';
import {openWebSocket} from '../../../src/agents/remote/websocket.ts';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {idle} from '../conversation/open-conversation.ts';
import {agentAt, makeRemote, openRemote} from './open-remote.ts';
import {serveAgent, type ServedAgent} from '../../support/servers/remote-server.ts';
import {serve} from '../../support/servers/servers.ts';

const answers: Readonly<Record<string, object>> = {
  initialize: {protocolVersion: 1, agentCapabilities: {}},
  'session/new': {sessionId: 's'},
};

/** A WebSocket server that opens a session properly; `prompted` may do anything with the connection. */
async function misbehaving(prompted: (socket: WebSocket, raw: Socket) => void): Promise<string> {
  const server = new WebSocketServer({host: '127.0.0.1', port: 0});
  server.on('connection', (socket, {socket: raw}) => {
    socket.on('error', () => {});
    socket.on('message', (data: Buffer) => {
      const {id, method} = JSON.parse(data.toString('utf8')) as {id: number; method: string};
      const result = answers[method];
      if (result) socket.send(JSON.stringify({jsonrpc: '2.0', id, result}));
      else prompted(socket, raw);
    });
  });
  await once(server, 'listening');
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
}

const chunk = (text: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'session/update',
    params: {sessionId: 's', update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}}},
  });

/** A text frame that announces more bytes than it has. */
const HALF_A_FRAME = Buffer.concat([Buffer.from([0x81, 100]), Buffer.from('{"jsonrpc":"2.0","me')]);

describe('a WebSocket', () => {
  test.each<[string, (socket: WebSocket, raw: Socket) => void, RegExp]>([
    ['is cut in the middle of a message', (_, raw) => void raw.end(HALF_A_FRAME), /The connection was cut/],
    ['breaks the framing', (_, raw) => void raw.write(Buffer.from([0xff, 0xff, 0xff])), /frame/i],
    ['closes with a reason', (socket) => socket.close(1011, 'out of cheese'), /\(1011\): out of cheese/],
    ['sends invalid UTF-8', (_, raw) => void raw.write(Buffer.from([0x81, 2, 0xc3, 0x28])), /UTF-8/i],
  ])('that %s keeps what came before, and is reported', async (_, misbehave, words) => {
    const url = await misbehaving((socket, raw) => {
      socket.send(chunk('before it'), () => misbehave(socket, raw));
    });
    const {prompt, until, said} = await openRemote(url, {}, {hasUser: false});
    prompt('go');
    const {connection} = await until((state) => state.connection.kind === 'lost', 'the loss');
    expect(said()).toBe('before it');
    expect(connection.kind === 'lost' && failureSentence(connection.failure)).toMatch(words);
  });

  test('delivers messages that arrive together at once, in order', async () => {
    const texts = Array.from({length: 1000}, (_, index) => String(index));
    const url = await misbehaving((socket, raw) => {
      raw.cork();
      for (const text of texts) socket.send(chunk(text));
      raw.uncork();
    });
    const agent = agentAt(url);
    if (!agent.remote) throw new Error('not a remote agent');
    const connected = await connectRemoteAgent({...agent, remote: agent.remote}, {cwd: '/'});
    if (!connected.ok) throw new Error(JSON.stringify(connected.failure));
    const {transport} = connected.value;
    await transport.send('{"jsonrpc":"2.0","id":1,"method":"go"}');
    const lines: string[] = [];
    let deliveries = 0;
    for await (const delivered of transport.lines) {
      lines.push(...delivered);
      deliveries++;
      if (lines.length === texts.length) break;
    }
    await connected.value.stop();
    expect(lines).toEqual(texts.map(chunk));
    expect(deliveries).toBeLessThan(500);
  });

  test('that sends an invalid message stays open', async () => {
    const url = await misbehaving((socket) => {
      for (const text of ['', 'hello', '[]', '5', 'null', '{"jsonrpc":']) socket.send(text);
      socket.send(Buffer.from([0, 1, 2]));
      socket.send(chunk('still here'));
    });
    const {prompt, until, said} = await openRemote(url, {}, {hasUser: false});
    prompt('go');
    await until(() => said() === 'still here', 'the message after them');
    expect(said()).toBe('still here');
  });

  test('that sends a message over the limit is closed, and that is reported', async () => {
    // Only the start: its header announces 33 MiB.
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(33n * 1024n * 1024n);
    const url = await misbehaving(
      (_, raw) => void raw.write(Buffer.concat([Buffer.from([0x81, 127]), length])),
    );
    const {prompt, until} = await openRemote(url, {}, {hasUser: false});
    prompt('go');
    const {connection} = await until((state) => state.connection.kind === 'lost', 'the loss');
    expect(connection).toMatchObject({failure: {kind: 'message_too_large'}});
  });
});

/** Returns the host of a server that does this with each connection. */
async function rawServer(connected: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    connected(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a server that accepts a connection and never answers is given up', async () => {
  const {conversation} = makeRemote(`http://${await rawServer(() => {})}/acp`, {}, {startSeconds: 1});
  const opened = await conversation.open();
  expect(opened).toMatchObject({failure: {kind: 'no_answer'}});
  expect(opened.ok ? '' : failureSentence(opened.failure)).toContain('Check the URL');
});

test('a server that sends its first response byte by byte is given up', async () => {
  const host = await rawServer((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nX-Slow: ');
    const dripping = setInterval(() => socket.write('a'), 20);
    socket.once('close', () => clearInterval(dripping));
  });
  const url = new URL(`ws://${host}/acp`);
  const target = {url, shown: url.href, headers: {}, cookieStore: new MemoryAcpCookieStore()};
  const opened = await openWebSocket(target, {handshakeMs: 200});
  expect(opened).toMatchObject({failure: {kind: 'remote', reason: 'stalled'}});
  const {conversation} = makeRemote(`http://${host}/acp`, {}, {startSeconds: 1});
  expect(await conversation.open()).toMatchObject({failure: {kind: 'no_answer'}});
});

test.each([
  {
    what: 'speaks another protocol',
    protocols: ['http', 'ws'],
    bytes: 'SSH-2.0-OpenSSH\r\n',
    words: /not that of a web server .*Check the URL/,
  },
  {
    what: 'is not encrypted',
    protocols: ['https', 'wss'],
    bytes: 'HTTP/1.1 400 Bad Request\r\n\r\n',
    words: /not encrypted\. Check the URL/,
  },
  {
    what: 'has endless headers',
    protocols: ['http', 'ws'],
    bytes: `HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(100_000)}\r\n\r\n`,
    words: /not that of a web server \(.*Header overflow\)/,
  },
  {
    what: 'redirects',
    protocols: ['http', 'ws'],
    bytes: 'HTTP/1.1 307 Moved\r\nLocation: /acp\r\n\r\n',
    words: /Redirects are not followed/,
  },
])('a server that $what is reported as such', async ({protocols, bytes, words}) => {
  const host = await rawServer((socket) => void socket.once('data', () => socket.end(bytes)));
  for (const protocol of protocols) {
    const opened = await makeRemote(`${protocol}://${host}/acp`).conversation.open();
    expect(opened.ok ? '' : failureSentence(opened.failure)).toMatch(words);
  }
});

test('a web server that is no agent is reported as such', async () => {
  const url = await serve((_, response) => void response.end('<html>hello</html>'));
  for (const address of [url, url.replace('http', 'ws')]) {
    const opened = await makeRemote(address).conversation.open();
    expect(opened).toMatchObject({failure: {kind: 'remote', reason: 'unexpected'}});
  }
});

/** A server that answers a prompt with as many sessions that no request asked for. */
async function inventing(count: number): Promise<ServedAgent> {
  return serveAgent({
    connect({readable, writable}) {
      const writer = writable.getWriter();
      const respond = (id: number | string, result: object) => writer.write({jsonrpc: '2.0', id, result});
      async function run(): Promise<void> {
        for await (const message of readable) {
          if (!('method' in message) || !('id' in message)) continue;
          if (message.method === 'session/prompt')
            for (let index = 0; index < count; index++)
              await respond(`invented-${index}`, {sessionId: `invented-${index}`});
          await respond(Number(message.id), answers[message.method] ?? {stopReason: 'end_turn'});
        }
      }
      return {closed: run()};
    },
  });
}

test('a server that invents sessions gets a stream only for those that were asked for', async () => {
  const served = await inventing(50);
  const {prompt, until} = await openRemote(served.http);
  prompt('go');
  await until(idle, 'the end of the turn');
  const streams = served.requests.filter(({accept}) => accept === 'text/event-stream');
  expect(streams.map((headers) => headers['acp-session-id'])).toEqual([undefined, 's']);
});

test('a server that does not stop inventing sessions loses the connection', async () => {
  const served = await inventing(5000);
  const {prompt, until} = await openRemote(served.http, {}, {hasUser: false});
  prompt('go');
  const {connection} = await until((state) => state.connection.kind === 'lost', 'the loss');
  expect(connection.kind === 'lost' && failureSentence(connection.failure)).toMatch(/not requested/);
});
