import {setTimeout as sleep} from 'node:timers/promises';
import type {PromptResponse} from '@agentclientprotocol/sdk/unstable';
import {CANCEL_LIMIT_MS, CROSSED_MS} from '../../../recording/rules/turn-rules.ts';
import type {Result} from '../../../shared/failure.ts';
import {pluralize, duration} from '../../../text/format.ts';
import {attempt, withTimeLimit} from '../attempt.ts';
import {NO_SESSION, skipCheck, type Check, type Subject, mayPrompt, type Probe} from '../examination.ts';
import type {LoggedUpdate} from '../updates-log.ts';

/** Cheap, harmless, and easy to recognize in a replay. */
export const PROMPT = 'Please say hello in one short sentence. Do not use any tools.';

const TURN: Subject = {id: 'session/prompt', name: 'a prompt', advertised: 'always'};
const STREAM: Subject = {id: 'streaming', name: 'streaming an answer', advertised: 'always'};

/** "Prompt Turn": one harmless prompt, and how its answer streams. */
export const prompt: Probe = async (examination) => {
  const {run, session, initialized} = examination.found;
  if (!initialized) return [];
  const because = (note: string) => [TURN, STREAM].map((subject) => skipCheck(subject, note));
  if (!run || !session) return because(NO_SESSION);
  if (!(await mayPrompt(examination))) return because(NO_CONSENT);
  const {sessionId} = session;
  const [startedAt, before] = [performance.now(), run.updatesLog.updates.length];
  const {check, value} = await attempt(examination, {
    ...TURN,
    method: 'session/prompt',
    work: () => run.connection.prompt(sessionId, [{type: 'text', text: PROMPT}]),
    judge: ({stopReason}) =>
      stopReason === 'end_turn' ? {note: stopReason} : {wrong: `it stopped with ${stopReason}`},
  });
  if (!value) {
    examination.found.isStuck = check.result === 'timeout';
    run.connection.cancel(sessionId);
    return [check, skipCheck(STREAM, 'the prompt was not answered')];
  }
  const updates = run.updatesLog.updates.slice(before);
  const chunks = updates.filter((one) => one.sessionId === sessionId && one.by === 'agent');
  const text = chunks.map((one) => one.text).join('');
  if (check.result === 'worked' && text !== '') examination.found.answer = text;
  return [check, streaming(chunks, startedAt)];
};

export const NO_CONSENT = 'a prompt may incur costs; --prompt allows it';

function streaming(chunks: readonly LoggedUpdate[], startedAt: number): Check {
  const [first] = chunks;
  if (!first) return {...STREAM, result: 'failed', note: 'the turn ended without an answer'};
  const ms = Math.round(first.at - startedAt);
  return {
    ...STREAM,
    result: 'worked',
    ms,
    note: `${pluralize(chunks.length, 'chunk')}, the first after ${duration(ms)}`,
  };
}

const LONG_PROMPT = 'Please count slowly from 1 to 300, one number on each line. Do not use any tools.';
/** A turn without any update is cancelled after this time, in milliseconds. */
const BEGUN_MS = 3000;

const SUBJECT: Subject = {id: 'session/cancel', name: 'cancelling', advertised: 'always'};

/** "Cancellation": a running turn ends soon, with `cancelled`. */
export const cancel: Probe = async (examination) => {
  const {run, session, initialized} = examination.found;
  const {signal, onProgress} = examination.options;
  if (!initialized) return [];
  if (!run || !session) return [skipCheck(SUBJECT, NO_SESSION)];
  if (!(await mayPrompt(examination))) return [skipCheck(SUBJECT, NO_CONSENT)];
  if (examination.found.isStuck) return [skipCheck(SUBJECT, 'the previous prompt was not answered')];
  onProgress(SUBJECT.name);
  const {sessionId} = session;
  let answer: Result<PromptResponse> | undefined;
  const turn = run.connection.prompt(sessionId, [{type: 'text', text: LONG_PROMPT}]);
  void turn.then((result) => (answer = result));
  await Promise.race([turn, run.updatesLog.next(sessionId), sleep(BEGUN_MS, undefined, {signal})]);
  if (answer) return [tooQuick(answer)];
  const cancelledAt = performance.now();
  run.connection.cancel(sessionId);
  const result = await withTimeLimit(turn, {method: 'session/cancel', timeoutMs: CANCEL_LIMIT_MS, signal});
  const ms = Math.round(performance.now() - cancelledAt);
  const crossed = result.ok && result.value.stopReason !== 'cancelled' && ms < CROSSED_MS;
  return [crossed ? tooQuick(result) : cancelVerdict(result, ms)];
};

function tooQuick(answer: Result<PromptResponse>): Check {
  return answer.ok
    ? skipCheck(SUBJECT, `the turn ended (${answer.value.stopReason}) before it could be cancelled`)
    : {...SUBJECT, result: 'failed', note: 'the prompt to cancel failed'};
}

function cancelVerdict(result: Result<PromptResponse>, ms: number): Check {
  if (result.ok && result.value.stopReason === 'cancelled') return {...SUBJECT, result: 'worked', ms};
  const note = result.ok
    ? `the turn ended with ${result.value.stopReason} instead of cancelled`
    : result.failure.kind === 'no_answer'
      ? `the turn did not end within ${duration(CANCEL_LIMIT_MS)}`
      : 'the turn ended with an error instead of cancelled';
  return {...SUBJECT, result: 'failed', ms, note};
}
