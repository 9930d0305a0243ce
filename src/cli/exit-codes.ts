import {constants} from 'node:os';
import type {StopReason} from '@agentclientprotocol/sdk/unstable';
import type {Failure} from '../shared/failure.ts';
import type {CatchableSignal} from '../shared/processes/before-signal.ts';

/** SIGPIPE never arrives as a signal; a failed write is reported instead. */
export type EndingSignal = CatchableSignal | 'SIGPIPE';

/** Returns the exit code of a program ended by a signal: 128 plus its number. */
export function signalCode(signal: EndingSignal): number {
  return 128 + constants.signals[signal];
}

/** The exit code if there is no session of that name. */
export const NO_SUCH_SESSION = 4;

/** The exit codes in `--help`. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'the turn ended'],
  [1, 'the agent or the protocol failed, or a result could not be written'],
  [2, 'usage error: an option, a value or a file'],
  [3, 'timed out (--timeout)'],
  [NO_SUCH_SESSION, 'no such session'],
  [5, 'something the agent needed was rejected (see --approve)'],
  [6, 'the agent requires a sign-in (see --auth)'],
  [7, 'the agent refused to continue'],
  [8, 'stopped at a limit (cost, time, tokens or requests)'],
  [129, 'hung up (SIGHUP)'],
  [130, 'interrupted'],
  [141, 'output closed (SIGPIPE)'],
  [143, 'terminated'],
];

/** The exit code of each failure. */
export const FAILURE_CODES: Readonly<Record<Failure['kind'], number>> = {
  authentication_required: 6,
  sign_in_failed: 6,
  bad_agent: 2,
  no_agent: 2,
  no_such_session: NO_SUCH_SESSION,
  answer_not_taken: 1,
  cannot_continue: 1,
  unknown_value: 2,
  invalid_setting: 2,
  sandbox: 2,
  not_offered: 2,
  prompt_blocked: 5,
  command_not_found: 1,
  not_executable: 1,
  not_acp: 1,
  exited_early: 1,
  connection_lost: 1,
  interrupted: 1,
  protocol_version: 1,
  no_answer: 1,
  message_too_large: 1,
  agent_error: 1,
  file: 2,
  not_written: 1,
  download: 1,
  remote: 1,
  bad_archive: 1,
  install: 1,
  internal: 1,
};

/** Returns the exit code for a failure. */
export function exitCodeOfFailure(failure: Failure): number {
  const isUnauthorized = failure.kind === 'remote' && failure.reason === 'status' && failure.detail === '401';
  return isUnauthorized ? FAILURE_CODES.authentication_required : FAILURE_CODES[failure.kind];
}

/** Returns the exit code of a run that ended with `exitCode` and then failed to write its results. */
export function exitCodeIfUnwritable(exitCode: number): number {
  return [0, 5, 7, 8].includes(exitCode) ? 1 : exitCode;
}

/** The outcome of a run in print mode. Several fields can be set at once. */
export interface RunOutcome {
  readonly signal: EndingSignal | undefined;
  readonly timedOut: boolean;
  readonly failure: Failure | undefined;
  readonly denied: boolean;
  /** The limit that ended the turn, in a sentence; undefined if none did. */
  readonly limitReached?: string | undefined;
  readonly stopReason: StopReason | undefined;
}

/**
 * Returns the exit code of a run. If several apply: a signal, then 3, 6, 4, 1, 7, 8, 5, 0. A turn that ends as `cancelled` although nothing was cancelled or
 * rejected is a failure of the agent.
 */
export function exitCodeOf(outcome: RunOutcome): number {
  const {signal, timedOut, failure, denied, limitReached, stopReason} = outcome;
  if (signal) return signalCode(signal);
  if (timedOut) return 3;
  if (failure) return exitCodeOfFailure(failure);
  if (stopReason === 'refusal') return 7;
  if (limitReached !== undefined || stopReason === 'max_tokens' || stopReason === 'max_turn_requests')
    return 8;
  if (denied) return 5;
  return stopReason === 'end_turn' ? 0 : 1;
}
