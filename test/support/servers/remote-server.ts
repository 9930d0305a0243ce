import {
  createServer as createHttp,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import {createServer as createHttps} from 'node:https';
import {readFileSync} from 'node:fs';
import type {AddressInfo} from 'node:net';
import type {Duplex} from 'node:stream';
import {fileURLToPath} from 'node:url';
import {
  createNodeHttpHandler,
  createNodeWebSocketUpgradeHandler,
} from '@agentclientprotocol/sdk/experimental/node';
import {AcpServer, type AcpServerOptions} from '@agentclientprotocol/sdk/experimental/server';
import {WebSocketServer} from 'ws';
import {onTestFinished} from 'vitest';

interface ServeOptions {
  /** The status to reject a request with; undefined to accept it. */
  readonly refuse?: (request: IncomingMessage) => number | undefined;
  /** With the certificate of an unknown authority, or with one that has none. */
  readonly tls?: boolean | 'self-signed';
  /** Set with every response. */
  readonly cookie?: string;
}

/** An agent behind both transports of the SDK's server. */
export interface ServedAgent {
  readonly ws: string;
  readonly http: string;
  readonly port: number;
  /** The headers of all requests. */
  readonly requests: IncomingMessage['headers'][];
  /** How many connections are open. */
  readonly sockets: () => number;
  /** Ends all event streams of sessions, in good order. */
  readonly endStreams: () => void;
  /** Drops all connections. */
  readonly cut: () => void;
  /** Stops the server and all its connections; nothing listens any more. */
  readonly end: () => Promise<void>;
}

const fixture = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../fixtures/tls/${name}`, import.meta.url)));

/** Serves on the loopback address until the end of the test. */
export async function serveAgent(
  agent: NonNullable<AcpServerOptions['agent']>,
  {refuse = () => undefined, tls = false, cookie}: ServeOptions = {},
): Promise<ServedAgent> {
  const acp = new AcpServer({agent});
  const requests: ServedAgent['requests'] = [];
  const handle = createNodeHttpHandler(acp);
  const streams = new Set<ServerResponse>();
  const listener: RequestListener = (request, response) => {
    if (request.method === 'GET' && request.headers['acp-session-id'] !== undefined) streams.add(response);
    requests.push(request.headers);
    const status = refuse(request);
    if (cookie) response.setHeader('set-cookie', cookie);
    if (status === undefined) handle(request, response);
    else response.writeHead(status).end('no');
  };
  const server = tls
    ? createHttps(
        {
          cert: fixture(tls === 'self-signed' ? 'self-signed.pem' : 'server.pem'),
          key: fixture('server-key.pem'),
        },
        listener,
      )
    : createHttp(listener);
  const upgrades = new WebSocketServer({noServer: true});
  if (cookie) upgrades.on('headers', (headers: string[]) => void headers.push(`Set-Cookie: ${cookie}`));
  const upgrade = createNodeWebSocketUpgradeHandler(acp, upgrades);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    requests.push(request.headers);
    const status = refuse(request);
    if (status === undefined) upgrade(request, socket, head);
    else socket.end(`HTTP/1.1 ${status} No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  });
  const sockets = await listen(server);
  const cut = () => sockets.forEach((socket) => socket.destroy());
  const end = async () => {
    server.close();
    cut();
    await acp.close();
  };
  onTestFinished(end);
  const {port} = server.address() as AddressInfo;
  const s = tls ? 's' : '';
  return {
    ws: `ws${s}://127.0.0.1:${port}/acp`,
    http: `http${s}://127.0.0.1:${port}/acp`,
    port,
    requests,
    sockets: () => sockets.size,
    endStreams: () => streams.forEach((stream) => stream.end()),
    cut,
    end,
  };
}

async function listen(server: Server): Promise<Set<Duplex>> {
  const sockets = new Set<Duplex>();
  server.on('connection', (socket: Duplex) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return sockets;
}
