import type {ClientRequest, IncomingMessage} from 'node:http';
import {DEFAULT_MAX_MESSAGE_BYTES} from '@agentclientprotocol/sdk/unstable';
import {createWebSocketStream} from '@agentclientprotocol/sdk/experimental/ws-client';
import {WebSocket, type ClientOptions} from 'ws';
import {connectionFor} from '../../download/connection.ts';
import {errorMessage, type Failure, type Result} from '../../shared/failure.ts';
import {connectionFailed, connectionLostFailure, notConnected} from './failures.ts';
import type {RemoteStream, RemoteTarget} from './stream.ts';

/** How long the server may take to accept a connection, in milliseconds. */
const HANDSHAKE_MS = 10_000;
/** Interval without data after which the server is pinged, and timeout of its pong, in milliseconds. */
const PING_MS = 30_000;

/**
 * Emits an error of an open socket as `failed`: on `error` the SDK's stream drops unread messages; on the `close` that follows it
 * keeps them.
 */
class LateErrorSocket extends WebSocket {
  #hasOpened = false;

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'open') this.#hasOpened = true;
    return super.emit(event === 'error' && this.#hasOpened ? 'failed' : event, ...args);
  }
}

/** Opens a WebSocket and the SDK's stream over it; resolves when the server has accepted it. */
export async function openWebSocket(
  target: RemoteTarget,
  {pingMs = PING_MS, handshakeMs = HANDSHAKE_MS} = {},
): Promise<Result<RemoteStream>> {
  const {url, shown} = target;
  const accepted = Promise.withResolvers<Result<WebSocket>>();
  let proxy: string | undefined;
  let isWithinProxy = false;

  class Socket extends LateErrorSocket {
    constructor(
      address: string,
      protocols: string | string[] = [],
      {headers = {}}: {headers?: Record<string, string>} = {},
    ) {
      super(address, protocols, {headers, ...optionsFor()});
      void accepted.promise.then(({ok}) => ok || this.terminate());
      this.once('open', () => accepted.resolve({ok: true, value: this}));
      this.once('unexpected-response', (_: ClientRequest, {statusCode = 0}: IncomingMessage) => {
        accepted.resolve(refusedBy(statusCode));
      });
      this.once('error', (error) => accepted.resolve(failedWith(error)));
    }
  }

  function optionsFor(): ClientOptions {
    const connection = connectionFor(new URL(url.href.replace(/^ws/, 'http')));
    ({proxy} = connection);
    return {
      ...connection.options,
      maxPayload: DEFAULT_MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      finishRequest(request) {
        request.once('proxyConnect', ({statusCode}: {statusCode: number}) => {
          isWithinProxy = statusCode === 200;
        });
        request.end();
      },
    };
  }

  function refusedBy(status: number): Result<never> {
    if (proxy !== undefined && !isWithinProxy)
      return notConnected(shown, 'proxy', `${proxy} answered ${status}`);
    return status === 200
      ? notConnected(shown, 'unexpected', 'that of a WebSocket server')
      : notConnected(shown, 'status', String(status));
  }

  function failedWith(error: Error): Result<never> {
    return proxy !== undefined && !isWithinProxy
      ? notConnected(shown, 'proxy', `${proxy}: ${error.message}`)
      : connectionFailed(shown, error);
  }

  try {
    const stream = createWebSocketStream(url.href, {...target, WebSocket: Socket});
    // Not the option of ws, which starts again with each byte.
    const timer = setTimeout(() => accepted.resolve(notConnected(shown, 'stalled')), handshakeMs);
    const socket = await accepted.promise;
    clearTimeout(timer);
    return socket.ok ? {ok: true, value: {stream, ...withSignsOfLife(socket.value, pingMs)}} : socket;
  } catch (error) {
    return notConnected(shown, 'proxy', errorMessage(error));
  }
}

/** Handles an open socket: pings, pausing and closing. */
function withSignsOfLife(socket: WebSocket, pingMs: number): Omit<RemoteStream, 'stream'> {
  let problem: string | undefined;
  let failure: Failure | undefined;
  let isAlive = true;
  const alive = () => void (isAlive = true);
  for (const event of ['message', 'ping', 'pong']) socket.on(event, alive);
  const timer = setInterval(() => {
    if (socket.isPaused) return;
    if (!isAlive) {
      problem = `the server sent nothing for ${(2 * pingMs) / 1000} seconds`;
      socket.terminate();
      return;
    }
    isAlive = false;
    socket.ping();
  }, pingMs).unref();
  socket.once('close', (code, reason) => {
    clearInterval(timer);
    problem ??= closeReason(code, reason.toString());
  });
  socket.on('failed', (error: Error) => {
    if ('code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
      failure = {kind: 'message_too_large', limitBytes: DEFAULT_MAX_MESSAGE_BYTES};
    problem ??= error.message;
  });
  return {
    closed: new Promise((resolve) => socket.once('close', resolve)),
    failureOf: () => failure ?? connectionLostFailure(problem),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    terminate: () => socket.terminate(),
  };
}

/** Returns the server's close reason, or a text for none ("Defined Status Codes", RFC 6455). */
function closeReason(code: number, reason: string): string {
  if (code === 1006) return 'the connection was cut';
  const number = code === 1005 ? '' : ` (${code})`;
  return `the server closed the connection${number}${reason === '' ? '' : `: ${reason}`}`;
}
