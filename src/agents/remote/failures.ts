import {MessageTooLargeError} from '@agentclientprotocol/sdk/unstable';
import {networkFailed} from '../../download/url.ts';
import type {DownloadReason, Failure, Result} from '../../shared/failure.ts';

/** The failure of a connection to a remote agent that could not be opened. `url` is without secrets. */
export function notConnected(url: string, reason: DownloadReason, detail?: string): FailedConnection {
  return {ok: false, failure: {kind: 'remote', url, reason, ...(detail && {detail})}};
}

interface FailedConnection extends Extract<Result<never>, {ok: false}> {
  readonly failure: Extract<Failure, {kind: 'remote'}>;
}

/** What OpenSSL says of a server that answers without TLS. */
const PLAIN_TEXT = /wrong version number|packet length too long/;

/** The failure of a connection that could not be opened, from an error of Node's network functions. */
export function connectionFailed(url: string, error: unknown): FailedConnection {
  const {reason, detail = ''} = networkFailed('', error).failure;
  if (reason !== 'unreachable') return notConnected(url, reason, detail);
  if (PLAIN_TEXT.test(detail)) return notConnected(url, 'unexpected', 'encrypted');
  return detail.startsWith('Parse Error')
    ? notConnected(url, 'unexpected', `that of a web server (${detail})`)
    : notConnected(url, reason, detail);
}

/** The failure of an established connection; `problem` is the reason, `status` that of the server's response, if it ended it. */
export function connectionLostFailure(problem: string | undefined, status?: number): Failure {
  return {
    kind: 'connection_lost',
    exit: undefined,
    stderrTail: '',
    ...(problem && {problem}),
    ...(status !== undefined && {status}),
  };
}

/** Returns the failure for a message over the size limit; undefined for any other error. */
export function tooLargeFailure(error: unknown): Failure | undefined {
  return error instanceof MessageTooLargeError
    ? {kind: 'message_too_large', limitBytes: error.maxMessageBytes}
    : undefined;
}
