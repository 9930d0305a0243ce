import {createHash, timingSafeEqual} from 'node:crypto';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {isIPv6, type AddressInfo} from 'node:net';
import type {Duplex} from 'node:stream';
import {DEFAULT_MAX_MESSAGE_BYTES} from '@agentclientprotocol/sdk/unstable';
import {
  createNodeHttpHandler,
  createNodeWebSocketUpgradeHandler,
} from '@agentclientprotocol/sdk/experimental/node';
import {AcpServer} from '@agentclientprotocol/sdk/experimental/server';
import type {Result} from '../../shared/failure.ts';
import {followConnections} from './abandoned-connections.ts';
import type {Bridge} from './bridge.ts';
import {limitSockets, type LimitedSockets} from './sockets.ts';
import {upgradeServer} from './websockets.ts';

interface ServeOptions {
  /** An IP address, or a host name. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The token that clients have to send as `Authorization: Bearer`. */
  readonly token: string;
  readonly limits?: Partial<typeof LIMITS>;
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

/** What a client may leave unread, in bytes, and how long each phase of a connection may take, in milliseconds. */
const LIMITS = {
  /** Messages that the client has not read. The agent waits until there are fewer; small ones take five times their size in memory. */
  unreadBytes: 16 * 1024 * 1024,
  /** Without reading any of them. */
  unreadMs: 60_000,
  /** From the connection, or the end of the last request, to the end of a request's headers. */
  headersMs: 10_000,
  /** To the end of a request's body. */
  requestMs: 300_000,
  /** From the upgrade to a WebSocket's first message. */
  firstMessageMs: 30_000,
  /** Interval in which a WebSocket client has to send something, read something or answer a ping. */
  pingMs: 30_000,
  /** Between two requests over the same socket. */
  idleMs: 5000,
  /** Not a time: the maximum number of sockets. */
  sockets: 1024,
};
/** Node looks for requests over their time limit at this interval, in milliseconds. */
const MAX_CHECK_MS = 1000;

/** Serves the agents of a bridge over WebSocket and streamable HTTP, see docs/agents.md. A failure is of the kind `not_offered`. */
export async function serveAgents(
  bridge: Bridge,
  {host, port, ...options}: ServeOptions,
): Promise<Result<AgentServer>> {
  const limits = {...LIMITS, ...options.limits};
  const acp = new AcpServer({
    agent: bridge,
    maxBufferedBytes: limits.unreadBytes,
    maxOutputStallMs: limits.unreadMs,
  });
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.min(limits.headersMs, MAX_CHECK_MS),
  });
  const sockets = limitSockets(server, limits.sockets);
  const stop = answerRequests(server, {...options, limits, acp, bridge, sockets});
  const problem = await listen(server, host, port);
  if (problem !== undefined)
    return {ok: false, failure: {kind: 'not_offered', cannot: `listen on ${host}:${port}`, why: problem}};
  const {port: actual} = server.address() as AddressInfo;
  return {
    ok: true,
    value: {
      address: `${isIPv6(host) ? `[${host}]` : host}:${actual}${SERVED_PATH}`,
      async close() {
        stop();
        server.close();
        await acp.close();
        await bridge.ended();
        sockets.destroy();
      },
    },
  };
}

interface Parts {
  readonly token: string;
  readonly limits: typeof LIMITS;
  readonly acp: AcpServer;
  readonly bridge: Bridge;
  readonly sockets: LimitedSockets;
}

/** Passes the requests that are allowed to the SDK's server. Returns a function that stops its timers. */
function answerRequests(server: Server, {token, limits, acp, bridge, sockets}: Parts): () => void {
  const handle = createNodeHttpHandler(acp, {maxRequestBodyBytes: DEFAULT_MAX_MESSAGE_BYTES});
  const upgrade = createNodeWebSocketUpgradeHandler(acp, upgradeServer(limits));
  const abandoned = followConnections(
    (id) =>
      void acp.handleRequest(
        new Request('http://localhost', {method: 'DELETE', headers: {'Acp-Connection-Id': id}}),
      ),
  );
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // Other requests belong to a connection, and the SDK rejects those that don't.
    const startsAgent = request.method === 'POST' && !request.headers['acp-connection-id'];
    const status = refusalOf(request, token) ?? (startsAgent && bridge.isFull() ? 503 : undefined);
    if (status === undefined) {
      sockets.accept(request.socket);
      abandoned.follow(request, response);
      return handle(request, response);
    }
    const headers = {connection: 'close', ...(status === 401 && {'www-authenticate': 'Bearer'})};
    response.writeHead(status, headers).end();
    request.resume();
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const status = refusalOf(request, token) ?? (bridge.isFull() ? 503 : undefined);
    if (status === undefined) {
      sockets.accept(request.socket);
      return upgrade(request, socket, head);
    }
    const response = `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
    // Not left to the client, which may keep its side open.
    socket.end(response, () => socket.destroy());
  });
  return abandoned.stop;
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

/** Resolves to why it cannot listen there; undefined on success. */
function listen(server: Server, host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'EADDRINUSE' ? 'the port is in use' : error.message);
    });
    server.listen(port, host, () => resolve(undefined));
  });
}
