import {submitPrompt} from '../../../../src/app/queue/queue.ts';
import {expect, test} from 'vitest';
import {performWaitingChange, refreshReview} from '../../../../src/app/review/follow-turns.ts';
import {initialReviewView} from '../../../../src/app/review/review-view.ts';
import {hintLine} from '../../../support/window/hint-text.ts';
import {workingWindow} from '../../../support/window/app-window.ts';
import {aReview, SESSION_FILE} from '../../../support/session/a-review.ts';

const REVERTED = {kind: 'revert', file: 'src/session.ts', hunk: 'one'} as const;
const CHANGES = {type: 'turn_changes', turn: 1, files: 3, added: 33, removed: 4, at: 0} as const;

/** A review while a turn runs. */
function underWay() {
  const window = workingWindow();
  const {active} = window.state;
  window.dispatch({
    type: 'overlay_opened',
    overlay: {kind: 'review', ...initialReviewView(active, aReview(SESSION_FILE))},
  });
  const waiting = () => (window.state.overlay.kind === 'review' ? window.state.overlay.waiting : []);
  const effects = () => performWaitingChange(window.state, active).effects;
  const refreshed = () => refreshReview(window.state, active, CHANGES).effects;
  return {window, active, waiting, effects, refreshed};
}

test('a revert waits for the end of the turn', () => {
  const {window, active, waiting, effects} = underWay();
  window.press('x');
  expect(waiting()).toEqual([REVERTED]);
  expect(window.performed('change_review')).toEqual([]);
  expect(effects()).toEqual([]);
  window.endTurn();
  expect(effects()).toEqual([{kind: 'change_review', key: active, of: 'reading', change: REVERTED}]);
});

test('it waits until queued prompts are done, too', () => {
  const {window, effects} = underWay();
  window.press('x');
  const {active} = window.state;
  window.take(submitPrompt(active, {text: 'and then'}));
  window.endTurn();
  expect(effects()).toEqual([]);
});

test('Ctrl+C cancels the turn for it, Esc cancels the revert; accepting does not wait', () => {
  const {window, waiting} = underWay();
  window.press('x', 'ctrl+c');
  expect(window.called('cancel')).toHaveLength(1);
  expect(waiting()).toEqual([REVERTED]);
  window.press('escape');
  expect(waiting()).toEqual([]);
  expect(window.state.overlay.kind).toBe('review');
  window.press('a');
  expect(window.performed('change_review')).toHaveLength(1);
});

test.each([
  ['q', 'none'],
  ['r', 'review'],
  ['ctrl+o', 'transcript'],
  ['ctrl+x', 'more_keys'],
])('%s leaves the review, and says that what waited is not done', (key, overlay) => {
  const {window, effects} = underWay();
  window.press('x', key);
  expect(window.state.overlay.kind).toBe(overlay);
  expect(window.state.toast?.text).toBe('Nothing was reverted.');
  window.endTurn();
  expect(window.performed('change_review')).toEqual([]);
  expect(effects()).toEqual([]);
});

test('a review in which nothing waits is left without a word', () => {
  const {window} = underWay();
  window.press('q');
  expect(window.state.overlay.kind).toBe('none');
  expect(window.state.toast).toBeUndefined();
});

test('a review is refreshed at the end of a turn, unless something is typed into it', () => {
  const {window, active, refreshed} = underWay();
  expect(refreshed()).toEqual([
    {kind: 'change_review', key: active, of: 'reading', change: {kind: 'refresh'}},
  ]);
  window.press('c');
  expect(refreshed()).toEqual([]);
});

test('the changes of a turn are shown below the prompt until the next one', () => {
  const window = workingWindow();
  window.endTurn();
  expect(hintLine(window.state)).toBeUndefined();
  window.agent(CHANGES);
  expect(hintLine(window.state)).toBe('3 files +33 −4 · Ctrl+X r review');
  window.say('again');
  expect(hintLine(window.state)).toBeUndefined();
  window.endTurn();
  expect(hintLine(window.state)).toBeUndefined();
});
