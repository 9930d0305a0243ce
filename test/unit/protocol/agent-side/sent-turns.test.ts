import {expect, test} from 'vitest';
import {createSentTurns} from '../../../../src/protocol/agent-side/sent-turns.ts';

test('a prompt that was cancelled before it was taken is refused, and was no message', () => {
  const turns = createSentTurns('s');
  turns.prompted(1, []);
  expect(turns.ended({id: 1, result: {stopReason: 'cancelled'}})).toEqual([
    {id: 1, error: {code: -32800, message: 'Request cancelled'}},
  ]);
});

test('the turn of a prompt that was taken ends as it was cancelled', () => {
  const turns = createSentTurns('s');
  turns.prompted(1, []);
  turns.begun({sessionUpdate: 'user_message', messageId: 'm', content: []});
  expect(turns.ended({id: 1, result: {stopReason: 'cancelled'}})).toMatchObject([
    {params: {update: {state: 'idle', stopReason: 'cancelled'}}},
  ]);
});
