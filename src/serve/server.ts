import {createHash, timingSafeEqual} from 'node:crypto';
import {createServer, type IncomingMessage, type Server} from 'node:http';
import {isIPv6, type AddressInfo, type Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import {DEFAULT_MAX_MESSAGE_BYTES} from '@agentclientprotocol/sdk/unstable';
import {
  createNodeHttpHandler,
  createNodeWebSocketUpgradeHandler,
  type NodeWebSocketUpgradeServer,
} from '@agentclientprotocol/sdk/experimental/node';
import {AcpServer} from '@agentclientprotocol/sdk/experimental/server';
import {WebSocketServer, type WebSocket} from 'ws';
import type {Result} from '../shared/failure.ts';
import {followConnections} from './abandoned-connections.ts';
import type {Bridge} from './bridge.ts';

interface ServeOptions {
  /** An IP address, or a host name. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The token that clients have to send as `Authorization: Bearer`. */
  readonly token: string;
}

/** A running server. */
interface AgentServer {
  /** As in a URL: `127.0.0.1:8080/acp`. */
  readonly address: string;
  /** Closes all connections and stops their agents; resolves when all have ended. */
  close(): Promise<void>;
}

/** The path of both transports. */
const SERVED_PATH = '/acp';
/** Maximum number of agents: each connection starts one. */
const MAX_AGENTS = 32;
/** A WebSocket client that does not respond to a ping until the next one is gone; the interval in milliseconds. */
const PING_MS = 30_000;
/** Maximum number of sockets, and time limit for a request's headers, in milliseconds. */
const MAX_SOCKETS = 1024;
const HEADERS_MS = 10_000;

/** Serves the agents of a bridge over WebSocket and streamable HTTP, see docs/remote.md. A failure is of the kind `not_offered`. */
export async function serveAgents(
  bridge: Bridge,
  {host, port, token}: ServeOptions,
): Promise<Result<AgentServer>> {
  const acp = new AcpServer({agent: bridge});
  const handle = createNodeHttpHandler(acp, {maxRequestBodyBytes: DEFAULT_MAX_MESSAGE_BYTES});
  const upgrade = createNodeWebSocketUpgradeHandler(acp, upgradeServer());
  const abandoned = followConnections(
    (id) =>
      void acp.handleRequest(
        new Request('http://localhost', {method: 'DELETE', headers: {'Acp-Connection-Id': id}}),
      ),
  );

  function refusal(request: IncomingMessage): number | undefined {
    const isNew = request.headers['acp-connection-id'] === undefined && request.method !== 'DELETE';
    return refusalOf(request, token) ?? (isNew && bridge.running() >= MAX_AGENTS ? 503 : undefined);
  }

  const server = createServer({headersTimeout: HEADERS_MS}, (request, response) => {
    const status = refusal(request);
    if (status !== undefined) {
      response.writeHead(status, status === 401 ? {'www-authenticate': 'Bearer'} : {}).end();
      request.resume();
      return;
    }
    abandoned.follow(request, response);
    handle(request, response);
  });
  server.maxConnections = MAX_SOCKETS;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const status = refusal(request);
    if (status === undefined) return upgrade(request, socket, head);
    socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  });
  const sockets = socketsOf(server);
  const problem = await listen(server, host, port);
  if (problem !== undefined)
    return {ok: false, failure: {kind: 'not_offered', what: `listening on ${host}:${port}`, why: problem}};
  const {port: actual} = server.address() as AddressInfo;
  return {
    ok: true,
    value: {
      address: `${isIPv6(host) ? `[${host}]` : host}:${actual}${SERVED_PATH}`,
      async close() {
        abandoned.stop();
        server.close();
        await acp.close();
        await bridge.ended();
        for (const socket of sockets) socket.destroy();
      },
    },
  };
}

/**
 * Returns the status to refuse a request with; undefined if it is allowed. A request from a web page has an origin and is always refused: no page that a user
 * happens to open may reach an agent on the same computer.
 */
function refusalOf({url = '', headers}: IncomingMessage, token: string): number | undefined {
  if (headers.origin !== undefined) return 403;
  const [, given] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (given === undefined || !isSame(given, token)) return 401;
  return url.split('?', 1)[0] === SERVED_PATH ? undefined : 404;
}

/** Takes constant time, whatever the texts have in common. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** The WebSocket server, which detects clients that are gone. */
function upgradeServer(): NodeWebSocketUpgradeServer {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: DEFAULT_MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  return {
    on: (event, listener) => void server.on(event, listener),
    off: (event, listener) => void server.off(event, listener),
    handleUpgrade(...[request, socket, head, callback]) {
      server.handleUpgrade(request, socket, head, (client) => {
        endWhenGone(client);
        writeTogether(client, socket);
        callback(client);
      });
    },
  };
}

function endWhenGone(client: WebSocket): void {
  let isAlive = true;
  for (const event of ['message', 'pong', 'ping']) client.on(event, () => (isAlive = true));
  const timer = setInterval(() => {
    if (!isAlive) return client.terminate();
    isAlive = false;
    client.ping();
  }, PING_MS).unref();
  client.once('close', () => clearInterval(timer));
  client.on('error', () => client.terminate());
}

/** Writes messages that are sent in the same turn of the event loop together: a system call takes longer than all else that is done for a small message. */
function writeTogether(client: WebSocket, socket: Duplex): void {
  const send = client.send.bind(client) as (...message: readonly unknown[]) => void;
  let isCorked = false;
  client.send = (...message: readonly unknown[]) => {
    if (!isCorked) {
      isCorked = true;
      socket.cork();
      process.nextTick(() => {
        isCorked = false;
        socket.uncork();
      });
    }
    send(...message);
  };
}

function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** Resolves to why it cannot listen there; undefined on success. */
function listen(server: Server, host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'EADDRINUSE' ? 'the port is in use' : error.message);
    });
    server.listen(port, host, () => resolve(undefined));
  });
}
