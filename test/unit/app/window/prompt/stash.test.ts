import {expect, test} from 'vitest';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {moveUnsent} from '../../../../../src/app/switching.ts';
import {collectUnsent} from '../../../../../src/app/sessions.ts';
import {windowWithRequest, openWindow} from '../../../../support/window/app-window.ts';

test('Ctrl+S stashes the draft, and restores it', () => {
  const window = openWindow();
  window.press('ctrl+s');
  expect(hintLine(window.state)).toBe('Nothing to stash.');
  window.type('half a prompt');
  window.press('ctrl+s');
  expect(window.draft).toBe('');
  window.press('ctrl+s');
  expect(window.draft).toBe('half a prompt');
  expect(window.open.stash).toBeUndefined();
  expect(window.sent).toEqual([]);
});

test.each(['a quick question', '/help', '!ls'])('the draft is back once %s is sent', (text) => {
  const window = openWindow();
  window.type('half a prompt');
  window.press('ctrl+s');
  window.say(text);
  expect(window.draft).toBe('half a prompt');
  expect(window.open.stash).toBeUndefined();
});

test('two drafts change places', () => {
  const window = openWindow();
  window.type('one');
  window.press('ctrl+s');
  window.type('two');
  window.press('ctrl+s');
  expect(window.draft).toBe('one');
  window.press('ctrl+s');
  expect(window.draft).toBe('two');
});

test('what is stashed is kept with the other unsent text, and moves to a new session with it', () => {
  const window = openWindow();
  window.type('one');
  window.press('ctrl+s');
  window.type('two');
  expect(collectUnsent(window.open).draft).toBe('one\ntwo');
  const other = {...openWindow().open, key: 'other'};
  window.dispatch({type: 'session_added', key: 'other', tab: other});
  const {main, other: to} = moveUnsent(window.state, 'main', 'other').sessions;
  expect(main?.stash).toBeUndefined();
  expect(to?.stash?.text).toBe('one');
});

test('the draft under a note for a rejection is not stashed', () => {
  const window = windowWithRequest(['allow_once', 'reject_once']);
  window.wait(1000);
  window.press('r', 'ctrl+s');
  expect(window.state.focus.kind).toBe('note');
  expect(window.open.stash).toBeUndefined();
});

test('Alt+P lists the models', () => {
  const window = openWindow();
  window.press('alt+p');
  expect(hintLine(window.state)).toBe('This agent has no models to select.');
});
