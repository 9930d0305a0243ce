import {setTimeout as sleep} from 'node:timers/promises';
import type {PromptResponse} from '@agentclientprotocol/sdk/unstable';
import {CANCEL_LIMIT_MS, CROSSED_MS} from '../../recording/rules/turn-rules.ts';
import type {Result} from '../../shared/failure.ts';
import {limited} from '../attempt.ts';
import {NO_SESSION, notTried, type Check, type Subject} from '../check.ts';
import {mayPrompt} from '../consent.ts';
import type {Probe} from '../examination.ts';
import {duration} from '../../text/format.ts';
import {NO_CONSENT} from './prompt.ts';

const LONG_PROMPT = 'Please count slowly from 1 to 300, one number on each line. Do not use any tools.';
/** A turn of which nothing was seen by then is cancelled all the same, in milliseconds. */
const BEGUN_MS = 3000;

const SUBJECT: Subject = {id: 'session/cancel', name: 'cancelling', advertised: 'always'};

/** "Cancellation": a turn that runs is answered with `cancelled`, soon. */
export const cancel: Probe = async (examination) => {
  const {life, session, initialized} = examination.found;
  const {signal, onProgress} = examination.options;
  if (!initialized) return [];
  if (!life || !session) return [notTried(SUBJECT, NO_SESSION)];
  if (!(await mayPrompt(examination))) return [notTried(SUBJECT, NO_CONSENT)];
  if (examination.found.isStuck) return [notTried(SUBJECT, 'the prompt before was not answered')];
  onProgress(SUBJECT.name);
  const {sessionId} = session;
  let answer: Result<PromptResponse> | undefined;
  const turn = life.connection.prompt(sessionId, [{type: 'text', text: LONG_PROMPT}]);
  void turn.then((result) => (answer = result));
  await Promise.race([turn, life.hearing.next(sessionId), sleep(BEGUN_MS, undefined, {signal})]);
  if (answer) return [tooQuick(answer)];
  const cancelledAt = performance.now();
  life.connection.cancel(sessionId);
  const result = await limited(turn, {method: 'session/cancel', timeoutMs: CANCEL_LIMIT_MS, signal});
  const ms = Math.round(performance.now() - cancelledAt);
  const crossed = result.ok && result.value.stopReason !== 'cancelled' && ms < CROSSED_MS;
  return [crossed ? tooQuick(result) : verdictOn(result, ms)];
};

function tooQuick(answer: Result<PromptResponse>): Check {
  return answer.ok
    ? notTried(SUBJECT, `the turn ended (${answer.value.stopReason}) before it could be cancelled`)
    : {...SUBJECT, result: 'failed', note: 'the prompt that was to be cancelled failed'};
}

function verdictOn(result: Result<PromptResponse>, ms: number): Check {
  if (result.ok && result.value.stopReason === 'cancelled') return {...SUBJECT, result: 'worked', ms};
  const note = result.ok
    ? `the turn ended with ${result.value.stopReason}, not with cancelled`
    : result.failure.kind === 'no_answer'
      ? `the turn did not end within ${duration(CANCEL_LIMIT_MS)}`
      : 'the turn ended with an error, not with cancelled';
  return {...SUBJECT, result: 'failed', ms, note};
}
