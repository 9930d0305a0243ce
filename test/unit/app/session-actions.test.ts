import {expect, test} from 'vitest';
import {readingOverlay} from '../../../src/app/pickers/session-actions.ts';
import {openList, selectedItem} from '../../../src/app/pickers/picker.ts';
import type {SessionList, SessionScope} from '../../../src/app/pickers/listings.ts';
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

test('the title of a session is typed over the old one, and the list is back after that', () => {
  const window = listing();
  window.press('right');
  window.type('rename');
  window.press('enter');
  expect(window.state.overlay).toMatchObject({picker: {title: 'Rename "The sea"', filter: 'The sea'}});
  window.press('ctrl+u');
  window.type('The lake');
  const rows = [sessionRow('abc', {title: 'The sea'}), sessionRow('def')];
  window.dispatch({type: 'sessions_found', list: {scope: 'folder', isGrowing: false, rows, at: 0}});
  window.press('enter');
  expect(window.effects.at(-1)).toEqual({kind: 'rename_session', row: 'abc', title: 'The lake'});
  expect(openList(window.state, 'sessions')?.items).toHaveLength(2);
});

test('an archived session is restored', () => {
  const window = listing('archived');
  window.press('right');
  window.type('archive');
  window.press('enter');
  expect(window.effects.at(-1)).toEqual({kind: 'unarchive_session', row: 'abc'});
});

/** Rows from the newest to the oldest. */
const three = ['a', 'b', 'c'].map((id, index) => sessionRow(id, {title: `The sea ${id}`, at: -index}));

test.each([
  ['Esc', ['escape'], {kind: 'find_sessions', scope: 'folder'}],
  ['a change', ['down', 'down', 'down', 'down', 'enter'], {kind: 'archive_session', row: 'b'}],
])('after %s the list is back as it was left, with what was found meanwhile', (_, keys, last) => {
  const window = listing();
  const find = (rows: SessionList['rows']) =>
    window.dispatch({type: 'sessions_found', list: {scope: 'folder', isGrowing: false, rows, at: 0}});
  find(three);
  window.type('sea');
  window.press('down', 'right');
  find([...three, sessionRow('d', {title: 'The sea d', at: 1})]);
  window.press(...keys);
  const list = openList(window.state, 'sessions');
  expect(list?.filter).toBe('sea');
  expect(list?.items).toHaveLength(4);
  expect(list && selectedItem(list)?.id).toBe('b');
  expect(window.effects.at(-1)).toEqual(last);
});

test('without a session in the list, the one deleted last can be restored', () => {
  const window = listing();
  window.type('nothing');
  window.press('right', 'enter');
  expect(window.effects.at(-1)).toEqual({kind: 'restore_session'});
  expect(openList(window.state, 'sessions')?.filter).toBe('nothing');
});

test.each([
  ['from the list', ['enter']],
  ['from its menu', ['right', 'enter']],
  ['as a fork', ['ctrl+f']],
])('a session that is resumed %s is not joined by a new one', (_, keys) => {
  const window = openWindow({ready: false});
  window.say('hello');
  window.say('/resume');
  window.dispatch({type: 'sessions_found', list: {scope: 'folder', isGrowing: false, rows: three, at: 0}});
  window.press(...keys.slice(0, -1));
  window.connect({kind: 'no_session', failure: undefined});
  window.press(...keys.slice(-1));
  expect(window.performed('resume_session')).toMatchObject([{row: 'a'}]);
  expect(window.state.overlay).toEqual({kind: 'none'});
  expect(window.called('openSession')).toEqual([]);
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
