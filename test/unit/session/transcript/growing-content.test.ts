import {expect, test} from 'vitest';
import type {Update} from '../../../../src/session/events.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {createGrowingContent} from '../../../../src/session/transcript/growing-content.ts';
import {withAppended} from '../../../../src/session/transcript/patches.ts';
import {
  callUpdate,
  calls,
  opened,
  prompted,
  reduceEvents,
  reduceUpdates,
  text,
} from '../../../support/session/build.ts';

const part = (index: number) => ({type: 'content' as const, content: text(`test ${index} passed\n`)});
const piece = (index: number) => withAppended(callUpdate('c', {content: [part(index)]}));

/** What is reported of a call that grows by this many pieces and then gets these updates; and what is left after that. */
function reported(pieces: number, ...more: readonly Update[]) {
  const growing = createGrowingContent();
  let state: SessionState = reduceEvents(opened, prompted('go'));
  const all = [calls('c'), ...Array.from({length: pieces}, (_, index) => piece(index)), ...more];
  const updates = all.flatMap((update) => {
    state = reduceUpdates(state, update);
    return growing.report(update, state) ?? [];
  });
  return {updates, rest: growing.rest(state)};
}

const parts = (count: number) => Array.from({length: count}, (_, index) => part(index));

test('what is reported of a call that grows by many pieces is linear in them, and ends with all of them', () => {
  const done = callUpdate('c', {status: 'completed'});
  const [few, many] = [reported(100, done), reported(1000, done)];
  expect(many.updates.at(-1)).toMatchObject({status: 'completed', content: parts(1000)});
  expect(many.rest).toEqual([]);
  const exponent = Math.log10(JSON.stringify(many.updates).length / JSON.stringify(few.updates).length);
  expect(exponent).toBeLessThan(1.2);
});

test('each update has the beginning of the content, and the first pieces are reported at once', () => {
  const {updates, rest} = reported(10);
  expect(updates.slice(0, 4)).toMatchObject([{}, ...[1, 2, 3].map((count) => ({content: parts(count)}))]);
  expect(rest).toEqual([callUpdate('c', {content: parts(10), _meta: {}})]);
});

test('what was left and is reported is not reported again before the call has grown by as much', () => {
  const growing = createGrowingContent();
  let state: SessionState = reduceEvents(opened, prompted('go'));
  const sizes = [calls('c'), ...Array.from({length: 100}, (_, index) => piece(index))].map((update) => {
    state = reduceUpdates(state, update);
    const reported = growing.report(update, state);
    return [reported, ...growing.rest(state)].filter(Boolean).length;
  });
  expect(Math.max(...sizes)).toBe(1);
  expect(growing.rest(state)).toEqual([]);
  const more = piece(100);
  state = reduceUpdates(state, more);
  expect(growing.report(more, state)).toBeUndefined();
  expect(growing.rest(state)).toMatchObject([{content: parts(101)}]);
});

test('other updates of the call are reported at once and unchanged', () => {
  const titled = callUpdate('c', {title: 'Testing'});
  const replaced = callUpdate('c', {content: [part(99)]});
  const {updates, rest} = reported(10, titled, replaced, callUpdate('c', {status: 'completed'}));
  expect(updates.slice(-3)).toEqual([titled, replaced, callUpdate('c', {status: 'completed'})]);
  expect(rest).toEqual([]);
});
