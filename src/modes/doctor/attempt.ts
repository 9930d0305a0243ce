import {describeFailure} from '../../shared/failure-messages.ts';
import {fail, type Failure, type Result} from '../../shared/failure.ts';
import {settledUnless, settledWithin} from '../../shared/timers/settled-within.ts';
import type {Check, Subject, Examination} from './examination.ts';

/** The verdict on a response: why it is `wrong`, or a note. */
export interface Verdict {
  readonly wrong?: string;
  readonly note?: string;
}

interface Attempt<T> extends Subject {
  /** Named if there is no response. */
  readonly method: string;
  readonly work: () => Promise<Result<T>>;
  readonly judge?: (value: T) => Verdict;
}

/** Runs an action within a probe's time limit and judges the result; returns the value if it arrived in time. */
export async function attempt<T>(
  examination: Examination,
  {id, name, advertised, method, work, judge = () => ({})}: Attempt<T>,
): Promise<{readonly check: Check; readonly value: T | undefined}> {
  const subject = {id, name, advertised};
  examination.options.onProgress(name);
  const startedAt = performance.now();
  const result = await withTimeLimit(work(), {method, ...examination.options});
  const ms = Math.round(performance.now() - startedAt);
  if (!result.ok) {
    const failure = await examination.explained(result.failure);
    if (failure.kind === 'authentication_required') examination.found.signIn = failure.methods;
    const timedOut = failure.kind === 'no_answer';
    const note = noteOf(failure);
    return {check: {...subject, result: timedOut ? 'timeout' : 'failed', ms, note}, value: undefined};
  }
  const {wrong, note} = judge(result.value);
  const check: Check =
    wrong === undefined
      ? {...subject, result: 'worked', ms, ...(note !== undefined && {note})}
      : {...subject, result: 'failed', ms, note: wrong};
  return {check, value: result.value};
}

/** If nothing could be examined, the report has to say what to do. */
const BEFORE_ANYTHING: ReadonlySet<Failure['kind']> = new Set([
  'command_not_found',
  'not_executable',
  'not_acp',
  'exited_early',
]);

/** Returns a sentence, and a second one if there is a cause. */
function noteOf(failure: Failure): string {
  const {what, why, todo} = describeFailure(failure);
  const isFirst = failure.kind === 'no_answer' && failure.method === 'initialize';
  const isRefused = 'refused' in failure && failure.refused !== undefined;
  const advice = isFirst || isRefused || BEFORE_ANYTHING.has(failure.kind) ? todo : undefined;
  return [what, why?.replaceAll('\n', ' | '), advice].filter(Boolean).join(' ');
}

interface Limit {
  readonly method: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The failure `no_answer` on a timeout. Rejects when the examination is to end. */
export async function withTimeLimit<T>(
  work: Promise<Result<T>>,
  {method, timeoutMs, signal}: Limit,
): Promise<Result<T>> {
  signal.throwIfAborted();
  const result = await settledWithin(settledUnless(work, signal), timeoutMs);
  signal.throwIfAborted();
  return result ?? fail({kind: 'no_answer', method, seconds: timeoutMs / 1000});
}
