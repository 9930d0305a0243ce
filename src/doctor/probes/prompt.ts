import {duration} from '../../text/format.ts';
import {attempt} from '../attempt.ts';
import {NO_SESSION, notTried, type Check, type Subject} from '../check.ts';
import {mayPrompt} from '../consent.ts';
import type {Probe} from '../examination.ts';
import type {Heard} from '../heard.ts';
import {counted} from '../output-checks.ts';

/** Costs little, changes nothing, and is easy to recognise when a session is loaded. */
export const PROMPT = 'Please say hello in one short sentence. Do not use any tools.';

const TURN: Subject = {id: 'session/prompt', name: 'a prompt', advertised: 'always'};
const STREAM: Subject = {id: 'streaming', name: 'the answer as it comes', advertised: 'always'};

/** "Prompt Turn": one harmless prompt, and how its answer streams. */
export const prompt: Probe = async (examination) => {
  const {life, session, initialized} = examination.found;
  if (!initialized) return [];
  const because = (note: string) => [TURN, STREAM].map((subject) => notTried(subject, note));
  if (!life || !session) return because(NO_SESSION);
  if (!(await mayPrompt(examination))) return because(NO_CONSENT);
  const {sessionId} = session;
  const [startedAt, before] = [performance.now(), life.hearing.heard.length];
  const {check, value} = await attempt(examination, {
    ...TURN,
    method: 'session/prompt',
    work: () => life.connection.prompt(sessionId, [{type: 'text', text: PROMPT}]),
    judge: ({stopReason}) =>
      stopReason === 'end_turn' ? {note: stopReason} : {wrong: `it stopped with ${stopReason}`},
  });
  if (!value) {
    examination.found.isStuck = check.result === 'timeout';
    life.connection.cancel(sessionId);
    return [check, notTried(STREAM, 'the prompt was not answered')];
  }
  const heard = life.hearing.heard.slice(before);
  const chunks = heard.filter((one) => one.sessionId === sessionId && one.by === 'agent');
  const text = chunks.map((one) => one.text).join('');
  if (check.result === 'worked' && text !== '') examination.found.answer = text;
  return [check, streaming(chunks, startedAt)];
};

export const NO_CONSENT = 'a prompt may cost something; --prompt allows it';

function streaming(chunks: readonly Heard[], startedAt: number): Check {
  const [first] = chunks;
  if (!first) return {...STREAM, result: 'failed', note: 'the turn ended, and nothing was said'};
  const ms = Math.round(first.at - startedAt);
  return {
    ...STREAM,
    result: 'worked',
    ms,
    note: `${counted(chunks.length, 'chunk')}, the first after ${duration(ms)}`,
  };
}
