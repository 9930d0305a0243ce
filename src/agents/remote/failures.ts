import {MessageTooLargeError} from '@agentclientprotocol/sdk/unstable';
import {displayUrl, networkFailed} from '../../download/url.ts';
import type {DownloadReason, Failure, Result} from '../../shared/failure.ts';

/** A connection to an agent elsewhere that could not be opened. */
export function notConnected(url: URL, reason: DownloadReason, detail?: string): FailedConnection {
  return {ok: false, failure: {kind: 'remote', url: displayUrl(url), reason, ...(detail && {detail})}};
}

interface FailedConnection extends Extract<Result<never>, {ok: false}> {
  readonly failure: Extract<Failure, {kind: 'remote'}>;
}

/** The same after an error of Node's network functions. */
export function connectionFailed(url: URL, error: unknown): FailedConnection {
  const {reason, detail} = networkFailed('', error).failure;
  return notConnected(url, reason, detail);
}

/** A connection that ended while it was in use; `problem` says why. */
export function connectionLost(problem: string | undefined): Failure {
  return {kind: 'connection_lost', exit: undefined, stderrTail: '', ...(problem && {problem})};
}

/** Returns the failure of a message over the limit; undefined for any other error. */
export function tooLarge(error: unknown): Failure | undefined {
  return error instanceof MessageTooLargeError
    ? {kind: 'message_too_large', limitBytes: error.maxMessageBytes}
    : undefined;
}

/** The words of an error, of the last cause where there is one. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
