import {createHttpStream} from '@agentclientprotocol/sdk/experimental/http-client';
import type {AnyMessage} from '@agentclientprotocol/sdk/unstable';
import {connectionFor, type OutgoingConnection} from '../../download/connection.ts';
import {fetchOver, RequestFailed} from '../../download/fetch.ts';
import {errorMessage, type Failure, type Result} from '../../shared/failure.ts';
import {createClientSessions} from './asked-sessions.ts';
import {connectionFailed, connectionLostFailure, notConnected, tooLargeFailure} from './failures.ts';
import type {RemoteStream, RemoteTarget} from './stream.ts';

/** How long a stream may be silent after its server has sent a sign of life, in milliseconds. The SDK's server sends one every 15 s. */
const SILENCE_MS = 60_000;

/** Prepares a connection over streamable HTTP; nothing is sent before the first message. */
export function openHttpStream(
  {url, shown, headers, cookieStore}: RemoteTarget,
  silenceMs = SILENCE_MS,
): Result<RemoteStream> {
  let isConnected = false;
  let isSilent = false;
  let connection: OutgoingConnection;
  try {
    connection = connectionFor(url, {keepAlive: true});
  } catch (error) {
    return notConnected(shown, 'proxy', errorMessage(error));
  }
  const gate = createGate();
  const fetch = fetchOver(connection, {
    gate: gate.wait,
    onResponse: ({statusCode, headers}) => {
      isConnected ||= statusCode === 200 && headers['acp-connection-id'] !== undefined;
    },
    silence: {
      maxMs: silenceMs,
      onSilence() {
        isSilent = true;
        connection.options.agent.destroy();
      },
    },
  });
  const sessions = createClientSessions();
  const stream = createHttpStream(url.href, {
    fetch: sessions.only(fetch),
    headers: {...headers},
    cookieStore,
  });
  return {
    ok: true,
    value: {
      stream,
      onSend: sessions.sent,
      brokenBy,
      failureOf(error) {
        const known = tooLargeFailure(error);
        if (known) return known;
        if (!isConnected) return notConnectedBy(shown, error);
        if (isSilent) return connectionLostFailure(`the server sent nothing for ${silenceMs / 1000} seconds`);
        return connectionLostFailure(error === undefined ? undefined : lossOf(error), statusOf(error));
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
function notConnectedBy(url: string, error: unknown): Failure {
  if (error instanceof RequestFailed) {
    const {proxy, cause, message} = error;
    return proxy === undefined
      ? connectionFailed(url, cause).failure
      : notConnected(url, 'proxy', `${proxy}: ${message}`).failure;
  }
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
