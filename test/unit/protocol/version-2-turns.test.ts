import {setImmediate as macrotask} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {createTurns} from '../../../src/protocol/v2/v2-turns.ts';

const update = (sessionUpdate: string) => ({sessionUpdate});
const state = (name: string, stopReason?: string) => ({
  sessionUpdate: 'state_update',
  state: name,
  ...(stopReason !== undefined && {stopReason}),
});
const says = update('agent_message_chunk');
const running = state('running');
const idle = state('idle', 'end_turn');

type Step = object | 'accepts' | 'cancel';

/** The index of the step with which the turn of a prompt ends that is sent after `before`; -1 if it goes on. */
async function endOf(before: readonly Record<string, unknown>[], steps: readonly Step[]): Promise<number> {
  const turns = createTurns();
  for (const each of before) turns.updated('s', each);
  const accepted = Promise.withResolvers<object>();
  let hasEnded = false;
  void turns.prompted({sessionId: 's'}, accepted.promise, () => undefined).then(() => (hasEnded = true));
  for (const [index, step] of steps.entries()) {
    if (step === 'accepts') accepted.resolve({});
    else if (step === 'cancel') turns.cancelled({sessionId: 's'});
    else turns.updated('s', {...step});
    await macrotask();
    if (hasEnded) return index;
  }
  return -1;
}

test.each<[name: string, steps: readonly Step[]]>([
  ['without a reason, after what was said', ['accepts', says, state('idle')]],
  [
    'with the reason of the last end, after the prompt was taken up',
    ['accepts', update('user_message'), idle],
  ],
  ['with another reason', ['accepts', state('idle', 'refusal')]],
  ['after work', ['accepts', running, state('idle')]],
  ['before the response, after what was said', [says, idle]],
  ['with the reason of the last end, after Esc', ['accepts', 'cancel', idle]],
])('an idle state ends a turn: %s', async (_, steps) => {
  expect(await endOf([running, idle], steps)).toBe(steps.length - 1);
});

test.each<[name: string, before: readonly Record<string, unknown>[], steps: readonly Step[]]>([
  ['that repeats the last one', [running, idle], ['accepts', idle, state('idle')]],
  ['of other work', [running], [says, idle]],
  ['that repeats that of other work, in which much was said', [running], [says, idle, 'accepts', idle]],
])('an idle state ends no turn: %s', async (_, before, steps) => {
  expect(await endOf(before, steps)).toBe(-1);
});

test('Esc behind other work ends the turn with that', async () => {
  expect(await endOf([running], ['cancel', state('idle', 'cancelled')])).toBe(1);
});

test.each<[name: string, before: readonly Record<string, unknown>[], reports: readonly object[]]>([
  ['its own work', [], [{sessionId: 's', update: state('idle')}]],
  ['no other work', [running], []],
])('a response with a reason ends the turn, and %s', async (_, before, reports) => {
  const turns = createTurns();
  for (const each of before) turns.updated('s', each);
  const accepted = Promise.withResolvers<object>();
  const reported: object[] = [];
  const ended = turns.prompted({sessionId: 's'}, accepted.promise, (params) => reported.push(params));
  turns.updated('s', running);
  accepted.resolve({stopReason: 'refusal'});
  expect(await ended).toEqual({stopReason: 'refusal'});
  expect(reported).toEqual(reports);
});
