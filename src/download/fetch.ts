import {request as requestHttp, type IncomingMessage, type RequestOptions} from 'node:http';
import {request as requestHttps} from 'node:https';
import {Readable} from 'node:stream';
import {errorMessage} from '../shared/failure.ts';
import type {OutgoingConnection} from './connection.ts';

/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);
/** How long a connection may be idle before the system checks it, in milliseconds. */
const KEEP_ALIVE_MS = 30_000;

/** A request that got no response; `proxy` if it failed on the way to, or in, that proxy, with `answered` with its status, if that did. */
export class RequestFailed extends Error {
  readonly proxy: string | undefined;
  readonly answered: number | undefined;

  constructor(proxy: string | undefined, cause: unknown, answered?: number) {
    super(errorMessage(cause), {cause});
    this.proxy = proxy;
    this.answered = answered;
  }
}

/** Sends a request over a connection; resolves to the response, rejects with RequestFailed. */
export async function send(
  url: URL,
  {options, proxy}: OutgoingConnection,
  {body, ...request}: RequestOptions & {readonly body?: unknown},
): Promise<IncomingMessage> {
  const {promise, resolve, reject} = Promise.withResolvers<IncomingMessage>();
  let isWithinProxy = false;
  const started = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, {...options, ...request});
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
  started.end(body);
  const message = await promise;
  if (outside() === undefined) return message;
  message.destroy();
  const {statusCode} = message;
  throw new RequestFailed(proxy, new Error(`it answered ${statusCode}`), statusCode);
}

interface FetchOptions {
  /** A promise that resolves when reading may continue; undefined if it may now. */
  readonly gate?: () => Promise<void> | undefined;
  readonly onResponse?: (message: IncomingMessage) => void;
  readonly silence?: SilenceOptions;
}

interface SilenceOptions {
  /** How long a stream of events may be silent after its server has sent a sign of life, in milliseconds. */
  readonly maxMs: number;
  /** Called when it was silent for longer. */
  readonly onSilence: () => void;
}

/** Returns a `fetch` over this connection. It does not follow redirects, which would send the token elsewhere. */
export function fetchOver(connection: OutgoingConnection, options: FetchOptions = {}): typeof fetch {
  const {onResponse = () => {}} = options;
  return async (input, init = {}) => {
    const message = await send(new URL(input instanceof Request ? input.url : input), connection, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: init.body,
      ...(init.signal && {signal: init.signal}),
    });
    const {statusCode = 0, statusMessage = ''} = message;
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
  {gate = () => undefined, silence}: FetchOptions,
): ReadableStream<Uint8Array> {
  const isEvents = message.headers['content-type']?.startsWith('text/event-stream') === true;
  const received = isEvents && silence ? watchSilence(message, silence) : () => {};
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
  {maxMs, onSilence}: SilenceOptions,
): (chunk: Uint8Array) => void {
  let timer: NodeJS.Timeout | undefined;
  // While reading is paused, bytes wait in the message.
  const check = () => (message.readableLength > 0 ? void timer?.refresh() : onSilence());
  message.once('close', () => clearTimeout(timer));
  return (chunk) => {
    if (message.closed) return;
    if (timer) timer.refresh();
    else if (chunk[0] === COLON) timer = setTimeout(check, maxMs).unref();
  };
}

function headersOf({headersDistinct}: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
}
