import {request as requestHttp, type IncomingMessage} from 'node:http';
import {request as requestHttps} from 'node:https';
import {Readable} from 'node:stream';
import {createHttpStream} from '@agentclientprotocol/sdk/experimental/http-client';
import {connectionFor, type OutgoingConnection} from '../../download/connection.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import {connectionFailed, connectionLost, notConnected, tooLarge, wordsOf} from './failures.ts';
import type {RemoteStream, RemoteTarget} from './stream.ts';

/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Prepares a connection over streamable HTTP; nothing is sent before the first message. */
export function openHttpStream({url, headers, cookieStore}: RemoteTarget): Result<RemoteStream> {
  let isConnected = false;
  let connection: OutgoingConnection;
  try {
    connection = connectionFor(url, {keepAlive: true});
  } catch (error) {
    return notConnected(url, 'proxy', wordsOf(error));
  }
  const gate = createGate();
  const fetch = fetchOver(connection, {
    gate: gate.wait,
    onResponse: ({statusCode, headers}) => {
      isConnected ||= statusCode === 200 && headers['acp-connection-id'] !== undefined;
    },
  });
  const stream = createHttpStream(url.href, {fetch, headers: {...headers}, cookieStore});
  return {
    ok: true,
    value: {
      stream,
      failureOf(error) {
        const known = tooLarge(error);
        if (known) return known;
        if (!isConnected) return notConnectedBy(url, error);
        return connectionLost(error === undefined ? undefined : lossOf(error));
      },
      pause: gate.close,
      resume: gate.open,
      terminate: () => connection.options.agent.destroy(),
    },
  };
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
  return /SSE stream closed/.test(wordsOf(error)) ? 'the server closed the connection' : wordsOf(error);
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
    super(wordsOf(cause), {cause});
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
}

/** Returns a `fetch` over this connection. It does not follow redirects, which would send the token elsewhere. */
export function fetchOver(
  {options, proxy}: OutgoingConnection,
  {gate = () => undefined, onResponse = () => {}}: FetchOptions = {},
): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const {promise, resolve, reject} = Promise.withResolvers<IncomingMessage>();
    let isWithinProxy = false;
    const started = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, {
      ...options,
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.signal && {signal: init.signal}),
    });
    const outside = () => (isWithinProxy ? undefined : proxy);
    started.once('proxyConnect', ({statusCode}: {statusCode: number}) => {
      isWithinProxy = statusCode === 200;
    });
    // A reused socket has been through the proxy already.
    started.once('socket', () => {
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
    return new Response(WITHOUT_BODY.has(statusCode) ? null : bodyOf(message, gate), {
      status: statusCode,
      statusText: statusMessage,
      headers: headersOf(message),
    });
  };
}

function bodyOf(
  message: IncomingMessage,
  gate: NonNullable<FetchOptions['gate']>,
): ReadableStream<Uint8Array> {
  const bytes = Readable.toWeb(message) as ReadableStream<Uint8Array>;
  return bytes.pipeThrough(
    new TransformStream({
      async transform(chunk, controller) {
        controller.enqueue(chunk);
        await gate();
      },
    }),
  );
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
