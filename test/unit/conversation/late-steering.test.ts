import {expect, test} from 'vitest';
import type {ConversationContext} from '../../../src/conversation/context.ts';
import {steerTurn} from '../../../src/conversation/prompt/turns.ts';
import {initialSession} from '../../../src/session/initial.ts';
import type {Result} from '../../../src/shared/failure.ts';
import type {SteerOutcome} from '../../../src/session/queue/queued-prompt.ts';

test('a prompt that a shared agent takes after a restart of its session is refused: nothing of it is in the transcript', async () => {
  const answer = Promise.withResolvers<Result<SteerOutcome>>();
  const emitted: unknown[] = [];
  const state = {
    ...initialSession({cwd: '/', additionalDirectories: [], at: 0}),
    sessionId: 's',
    turn: {kind: 'running', turn: 1, startedAt: 0, lastActivityAt: 0, promptEntry: 0},
  };
  const context = {
    sink: {state: () => state, emit: (event: unknown) => emitted.push(event)},
    run: {connection: {steer: () => answer.promise}},
    turn: {name: 'sent', number: 1},
  };
  const steered = steerTurn(context as unknown as ConversationContext, [{type: 'text', text: 'now'}]);
  context.run = {connection: {steer: () => answer.promise}};
  answer.resolve({ok: true, value: 'taken'});
  expect(await steered).toEqual({ok: true, value: 'refused'});
  expect(emitted).toEqual([]);
});
