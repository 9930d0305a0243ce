import {request as requestHttp, type IncomingMessage} from 'node:http';
import {request as requestHttps} from 'node:https';
import {Readable} from 'node:stream';
import {createHttpStream} from '@agentclientprotocol/sdk/experimental/http-client';
import type {AnyMessage} from '@agentclientprotocol/sdk/unstable';
import {connectionFor, type OutgoingConnection} from '../../download/connection.ts';
import {errorMessage, type Failure, type Result} from '../../shared/failure.ts';
import {connectionFailed, connectionLost, notConnected, tooLarge} from './failures.ts';
import type {RemoteStream, RemoteTarget} from './stream.ts';

/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** How long a stream may be silent after its server has sent a sign of life, in milliseconds. The SDK's server sends one every 15 s. */
const SILENCE_MS = 60_000;
/** How long a connection may be idle before the system checks it, in milliseconds. */
const KEEP_ALIVE_MS = 30_000;

/** Prepares a connection over streamable HTTP; nothing is sent before the first message. */
export function openHttpStream(
  {url, headers, cookieStore}: RemoteTarget,
  silenceMs = SILENCE_MS,
): Result<RemoteStream> {
  let isConnected = false;
  let isSilent = false;
  let connection: OutgoingConnection;
  try {
    connection = connectionFor(url, {keepAlive: true});
  } catch (error) {
    return notConnected(url, 'proxy', errorMessage(error));
  }
  const gate = createGate();
  const fetch = fetchOver(connection, {
    gate: gate.wait,
    onResponse: ({statusCode, headers}) => {
      isConnected ||= statusCode === 200 && headers['acp-connection-id'] !== undefined;
    },
    silenceMs,
    onSilence() {
      isSilent = true;
      connection.options.agent.destroy();
    },
  });
  const stream = createHttpStream(url.href, {fetch, headers: {...headers}, cookieStore});
  return {
    ok: true,
    value: {
      stream,
      brokenBy,
      failureOf(error) {
        const known = tooLarge(error);
        if (known) return known;
        if (!isConnected) return notConnectedBy(url, error);
        if (isSilent) return connectionLost(`the server sent nothing for ${silenceMs / 1000} seconds`);
        return connectionLost(error === undefined ? undefined : lossOf(error), statusOf(error));
      },
      pause: gate.close,
      resume: gate.open,
      terminate: () => connection.options.agent.destroy(),
    },
  };
}

/**
 * Without the event stream of its session, a request is answered by the SDK itself, and what the agent sends is lost. Loading the session again brings it, so
 * this counts as a lost connection.
 */
function brokenBy(message: AnyMessage): Error | undefined {
  const isLost = 'error' in message && message.error.message === 'ACP session SSE stream closed';
  return isLost ? new Error(message.error.message) : undefined;
}

/** Returns why the first request, `initialize`, failed. */
function notConnectedBy(url: URL, error: unknown): Failure {
  if (error instanceof RequestFailed) return error.failureFor(url);
  const status = statusOf(error);
  return status === undefined
    ? notConnected(url, 'unexpected', 'that of an ACP server').failure
    : notConnected(url, 'status', String(status)).failure;
}

/** Returns why an established connection ended. */
function lossOf(error: unknown): string {
  const status = statusOf(error);
  if (status !== undefined) return `the server answered ${status}`;
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
    return 'the connection was cut';
  return /SSE stream closed/.test(errorMessage(error))
    ? 'the server closed the connection'
    : errorMessage(error);
}

/** Returns the HTTP status that the SDK stores in the error for an unexpected response. */
function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
    ? error.status
    : undefined;
}

/** A request that got no response. */
class RequestFailed extends Error {
  readonly proxy: string | undefined;

  constructor(proxy: string | undefined, cause: unknown) {
    super(errorMessage(cause), {cause});
    this.proxy = proxy;
  }

  failureFor(url: URL): Failure {
    return this.proxy === undefined
      ? connectionFailed(url, this.cause).failure
      : notConnected(url, 'proxy', `${this.proxy}: ${this.message}`).failure;
  }
}

interface FetchOptions {
  /** A promise that resolves when reading may continue; undefined if it may now. */
  readonly gate?: () => Promise<void> | undefined;
  readonly onResponse?: (message: IncomingMessage) => void;
  /** Called when a stream of events ends in silence. */
  readonly onSilence?: () => void;
  readonly silenceMs?: number;
}

/** Returns a `fetch` over this connection. It does not follow redirects, which would send the token elsewhere. */
export function fetchOver(
  {options: connectionOptions, proxy}: OutgoingConnection,
  options: FetchOptions = {},
): typeof fetch {
  const {onResponse = () => {}} = options;
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const {promise, resolve, reject} = Promise.withResolvers<IncomingMessage>();
    let isWithinProxy = false;
    const started = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, {
      ...connectionOptions,
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.signal && {signal: init.signal}),
    });
    const outside = () => (isWithinProxy ? undefined : proxy);
    started.once('proxyConnect', ({statusCode}: {statusCode: number}) => {
      isWithinProxy = statusCode === 200;
    });
    // A reused socket has been through the proxy already.
    started.once('socket', (socket) => {
      // Finds out when the other computer is gone.
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
      isWithinProxy ||= started.reusedSocket;
    });
    started.once('response', resolve);
    started.on('error', (error) => reject(new RequestFailed(outside(), error)));
    started.end(init.body);
    const message = await promise;
    const {statusCode = 0, statusMessage = ''} = message;
    if (outside() !== undefined) {
      message.destroy();
      throw new RequestFailed(proxy, new Error(`it answered ${statusCode}`));
    }
    onResponse(message);
    return new Response(WITHOUT_BODY.has(statusCode) ? null : bodyOf(message, options), {
      status: statusCode,
      statusText: statusMessage,
      headers: headersOf(message),
    });
  };
}

function bodyOf(
  message: IncomingMessage,
  {gate = () => undefined, onSilence, silenceMs = SILENCE_MS}: FetchOptions,
): ReadableStream<Uint8Array> {
  const isEvents = message.headers['content-type']?.startsWith('text/event-stream') === true;
  const received = isEvents && onSilence ? watchSilence(message, {silenceMs, onSilence}) : () => {};
  const bytes = Readable.toWeb(message) as ReadableStream<Uint8Array>;
  return bytes.pipeThrough(
    new TransformStream({
      async transform(chunk: Uint8Array, controller) {
        controller.enqueue(chunk);
        await gate();
        received(chunk);
      },
    }),
  );
}

const COLON = 0x3a;

/**
 * Returns a function to call with each chunk of a stream of events. A server that has sent a comment, which is a sign of life, is expected to send more;
 * others may be silent.
 */
function watchSilence(
  message: IncomingMessage,
  {silenceMs, onSilence}: Required<Pick<FetchOptions, 'silenceMs' | 'onSilence'>>,
): (chunk: Uint8Array) => void {
  let timer: NodeJS.Timeout | undefined;
  // While reading is paused, bytes wait in the message.
  const check = () => (message.readableLength > 0 ? void timer?.refresh() : onSilence());
  message.once('close', () => clearTimeout(timer));
  return (chunk) => {
    if (message.closed) return;
    if (timer) timer.refresh();
    else if (chunk[0] === COLON) timer = setTimeout(check, silenceMs).unref();
  };
}

function headersOf({headersDistinct}: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
}

/** Creates a gate that blocks readers while it is closed. */
function createGate() {
  let closed: PromiseWithResolvers<void> | undefined;
  return {
    wait: () => closed?.promise,
    close: (): void => {
      closed ??= Promise.withResolvers();
    },
    open: (): void => {
      closed?.resolve();
      closed = undefined;
    },
  };
}
