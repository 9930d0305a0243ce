import {expect, test} from 'vitest';
import {readingOverlay} from '../../../src/app/pickers/session-actions.ts';
import {openList} from '../../../src/app/pickers/picker.ts';
import type {SessionScope} from '../../../src/app/pickers/listings.ts';
import {openWindow} from '../../support/window/app-window.ts';
import {reduceEvents, opened, prompted, says, update} from '../../support/session/build.ts';
import {sessionRow} from '../../support/session/session-row.ts';

/** A window with the list of sessions, and a session in it. */
function listing(scope: SessionScope = 'folder') {
  const window = openWindow();
  window.say('/resume');
  const rows = [sessionRow('abc', {title: 'The sea'})];
  if (scope === 'archived') window.press('tab', 'tab');
  window.dispatch({type: 'sessions_found', list: {scope, isGrowing: false, rows, at: 0}});
  return window;
}

test.each([
  ['resume', {kind: 'resume_session', row: 'abc', fork: false}],
  ['fork', {kind: 'resume_session', row: 'abc', fork: true}],
  ['read', {kind: 'read_session', row: 'abc', entry: undefined, search: ''}],
  ['archive', {kind: 'archive_session', row: 'abc'}],
  ['delete', {kind: 'delete_session', row: 'abc', sure: false}],
  ['restore', {kind: 'restore_session'}],
])('→ lists what can be done with a session: %s', (typed, effect) => {
  const window = listing();
  window.press('right');
  expect(window.state.overlay).toMatchObject({picker: {title: 'The sea'}});
  window.type(typed);
  window.press('enter');
  expect(window.effects.at(-1)).toEqual(effect);
});

test('an archived session is restored', () => {
  const window = listing('archived');
  window.press('right');
  window.type('archive');
  window.press('enter');
  expect(window.effects.at(-1)).toEqual({kind: 'unarchive_session', row: 'abc'});
});

test('the list is back after Esc and after a change, with its filter', () => {
  const window = listing();
  window.type('sea');
  window.press('right', 'escape');
  expect(openList(window.state, 'sessions')?.filter).toBe('sea');
});

test('reading begins where the words of the filter were said', () => {
  const window = listing();
  window.type('whale');
  const places = new Map([['abc', {text: 'The Whale swims', match: 'Whale', entry: 1}]]);
  window.dispatch({type: 'sessions_searched', said: {filter: 'whale', places}});
  window.press('right');
  window.type('read');
  window.press('enter');
  expect(window.performed('read_session')).toMatchObject([{row: 'abc', entry: 1, search: 'Whale'}]);
});

test('reading starts at the entry, with the search', () => {
  const session = reduceEvents(opened, prompted('hi'), update(says('The whale.')));
  expect(readingOverlay(session, {entry: 1, search: 'whale'})).toMatchObject({
    overlay: {kind: 'transcript', read: {entries: session.entries, pending: []}},
    viewer: {search: 'whale', position: {from: 'entry', id: '1', rows: 0}},
  });
});
