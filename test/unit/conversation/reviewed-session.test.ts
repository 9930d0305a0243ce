import {expect, test} from 'vitest';
import type {ConversationContext} from '../../../src/conversation/context.ts';
import {reviewedSession} from '../../../src/conversation/review/review-actions.ts';
import {
  ended,
  newSession,
  opened,
  prompted,
  reduceEvents,
  type UntimedEvent,
} from '../../support/session/build.ts';

const turn = (number: number) => [prompted(`prompt ${number}`, number), ended('end_turn', number)];
const copied: UntimedEvent = {
  type: 'session_opened',
  how: 'fork',
  session: {sessionId: 's2', cwd: '/project', additionalDirectories: []},
};

test.each<[string, number, readonly UntimedEvent[]]>([
  ['of the first session of a window', 1, [...turn(1), ...turn(2)]],
  ['of one that was opened after another', 2, [...turn(1), newSession('s2'), ...turn(2)]],
  ['of a copy, without those of the original session', 2, [...turn(1), copied, ...turn(2)]],
  ['of a copy without a turn of its own', 3, [...turn(1), ...turn(2), copied]],
])('a review names the turns %s', (_, firstTurn, events) => {
  const state = reduceEvents(opened, ...events);
  const context = {sink: {state: () => state}, turn: {number: 2}} as ConversationContext;
  expect(reviewedSession(context)).toEqual({session: state.sessionId, turn: 2, firstTurn});
});
