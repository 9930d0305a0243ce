import {expect, test} from 'vitest';
import {draftOf} from '../../../../src/app/editor/draft.ts';
import {initialApp} from '../../../../src/app/initial.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import {initialReviewView} from '../../../../src/app/review/review-view.ts';
import {runEffect} from '../../../../src/window/effects/effects.ts';
import type {EffectContext} from '../../../../src/window/effects/effect-context.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {createStore} from '../../../../src/shared/store.ts';
import type {Review, ReviewOutcome} from '../../../../src/session/review.ts';

const KEY = 'one';

const reviewOf = (turn: number): Review => ({
  id: `turn ${turn}`,
  range: {kind: 'turn', turn},
  turns: [],
  files: [],
  uncovered: [],
  comments: [],
});

const outcome = (review: Review): ReviewOutcome => ({
  ok: true,
  review,
  message: undefined,
  isDone: true,
  hasChangedFiles: false,
});

function opened() {
  const session = initialSession({cwd: '/', additionalDirectories: [], at: 0});
  const store = createStore(
    reduceApp,
    initialApp({session: {key: KEY, agentLabel: 'some', session, approval: undefined}, theme: 'dark'}),
  );
  const reads = [Promise.withResolvers<ReviewOutcome>(), Promise.withResolvers<ReviewOutcome>()];
  let read = 0;
  const client = {review: () => reads[read++]?.promise};
  const context = {
    store,
    sessions: {clientOf: () => client},
    report: () => undefined,
  } as unknown as EffectContext;
  runEffect({kind: 'show_review', key: KEY, range: {kind: 'unreviewed'}}, context);
  return {store, reads};
}

test('a review is read again if a turn has ended while it was read', async () => {
  const {store, reads} = opened();
  const event = {type: 'turn_changes', turn: 2, files: 1, added: 1, removed: 0, at: 0} as const;
  store.dispatch({type: 'session', key: KEY, event, at: 0});
  reads[0]?.resolve(outcome(reviewOf(1)));
  reads[1]?.resolve(outcome(reviewOf(2)));
  await expect.poll(() => store.latest().overlay).toMatchObject({kind: 'review', review: reviewOf(2)});
});

test('a review that is read again takes keys again although something was typed meanwhile', async () => {
  const {store, reads} = opened();
  const view = {...initialReviewView(KEY, reviewOf(1)), doing: {kind: 'read'}} as const;
  store.dispatch({type: 'overlay_opened', overlay: {kind: 'review', ...view}}, 'urgent');
  store.dispatch({type: 'draft_changed', key: KEY, draft: draftOf('from a form that went away'), at: 0});
  reads[0]?.resolve(outcome(reviewOf(2)));
  await expect
    .poll(() => store.latest().overlay)
    .toEqual({kind: 'review', ...initialReviewView(KEY, reviewOf(2))});
});

test('a review that cannot be read again takes keys again', async () => {
  const {store, reads} = opened();
  const view = {...initialReviewView(KEY, reviewOf(1)), doing: {kind: 'read'}} as const;
  store.dispatch({type: 'overlay_opened', overlay: {kind: 'review', ...view}}, 'urgent');
  reads[0]?.reject(new Error('the background service has ended'));
  await expect.poll(() => store.latest().overlay).toMatchObject({kind: 'review', doing: undefined});
});
