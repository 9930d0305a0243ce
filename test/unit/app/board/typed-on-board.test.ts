import {describe, expect, test} from 'vitest';
import {reduceApp} from '../../../../src/app/reduce.ts';
import {activeSession} from '../../../../src/app/sessions.ts';
import {openWindow} from '../../../support/window/app-window.ts';
import {addAsking, board, boardOf, draw, NOW, row} from './board-window.ts';

test('Space sends a prompt to the selected session, which stays where it is', () => {
  const window = openWindow();
  addAsking(window, 'other', 'r1');
  window.press('left');
  window.type(' ');
  window.type('and the docs');
  window.press('enter');
  expect(window.performed('call')).toMatchObject([
    {key: 'other', action: 'changeQueue', args: [{kind: 'submit', prompt: {text: 'and the docs'}}]},
  ]);
  expect(window.state).toMatchObject({active: 'main', board: {typing: 'new'}});
  expect(window.state.toast?.text).toContain('Queued in');
});

test.each([
  ['/model opus', 'a command of acp-tui'],
  ['!git pull', 'a shell command'],
])('%s is not sent as a prompt: it is %s', (text) => {
  const window = openWindow();
  addAsking(window, 'other', 'r1');
  window.press('left');
  window.type(' ');
  window.type(text);
  window.press('enter');
  window.press('escape', 'ctrl+u');
  window.paste(text);
  window.press('enter');
  expect([window.performed('call'), window.performed('open_beside')]).toEqual([[], []]);
  expect(window.state.toast?.text).toContain('Nothing was sent.');
  expect(board(window).draft.text).toBe(text);
});

test('two slashes mean the command behind that of acp-tui in a reply, too', () => {
  const window = openWindow();
  addAsking(window, 'other', 'r1');
  const commands = [{name: 'review', description: '', from: 'yours', prompt: 'Look.'}];
  const event = {type: 'custom_commands_changed', commands, at: NOW} as const;
  window.dispatch({type: 'session', key: 'other', event, at: 0});
  window.press('left');
  window.type(' ');
  window.type('//review src');
  window.press('enter');
  expect(window.performed('call')).toMatchObject([
    {key: 'other', args: [{prompt: {text: '/review src', isAgents: false}}]},
  ]);
});

describe('a reply', () => {
  /** A window with two sessions that ask something; a reply to the first is typed. */
  function replying() {
    const window = openWindow();
    addAsking(window, 'one', 'r1');
    addAsking(window, 'two', 'r2');
    window.press('left');
    const first = board(window).selected!;
    window.type(' ');
    window.type('then push');
    return {window, first, second: first === 'one' ? 'two' : 'one'};
  }

  test('reaches the session for which it was typed, also after its request was answered', () => {
    const {window, first} = replying();
    const prompt = {type: 'prompt_started', turn: 1, content: [{type: 'text', text: 'Go'}], at: NOW} as const;
    window.dispatch({type: 'session', key: first, event: prompt, at: 0});
    window.press('tab');
    draw(window);
    window.wait(2000);
    const {id} = window.state.request!;
    window.type('y');
    const decision = {by: 'user', outcome: 'allowed'};
    const resolved = {type: 'permission_resolved', id, at: NOW, decision};
    window.dispatch({type: 'session', key: first, event: resolved as never, at: 0});
    expect(board(window)).toMatchObject({selected: first, typing: 'reply'});
    window.press('enter');
    expect(window.performed('call').at(-1)).toMatchObject({key: first, action: 'changeQueue'});
  });

  test('is sent to no other session when that one is gone', () => {
    const {window, first} = replying();
    window.dispatch({type: 'session_removed', key: first});
    window.press('enter');
    expect(window.performed('call')).toEqual([]);
    expect(window.state.toast?.text).toBe('This session is not open any more. Nothing was sent.');
    expect(board(window).draft.text).toBe('then push');
  });

  test('is kept with its session while something else is typed, and when the board closes', () => {
    const {window, first, second} = replying();
    window.press('down');
    expect(board(window)).toMatchObject({typing: 'new', selected: second, draft: {text: ''}});
    window.press('up');
    window.type(' ');
    expect(board(window)).toMatchObject({typing: 'reply', draft: {text: 'then push'}});
    window.press('escape', 'escape');
    expect(window.state.board).toBeUndefined();
    expect(window.state.sessions[first]?.draft.text).toBe('then push');
    expect(window.draft).toBe('');
  });
});

describe('a note to the request of a session that is only peeked at', () => {
  /** A window in which such a note is typed. */
  function noting() {
    const window = openWindow();
    addAsking(window, 'other', 'r1', true);
    window.dispatch({type: 'board_opened'});
    const stored = [row('id', {status: 'waiting', key: 'other'}), row('b')];
    window.dispatch({type: 'board_changed', change: {stored}});
    window.press('tab');
    draw(window);
    window.wait(2000);
    window.type('r');
    return window;
  }

  test('is given back to what is typed', () => {
    const window = noting();
    window.type('use jest');
    expect(window.state.sessions['other']?.note?.draft.text).toBe('use jest');
    expect(activeSession(reduceApp(window.state, {type: 'board_closed'})).draft.text).toBe('use jest');
    window.press('escape', 'escape', 'down');
    expect(board(window).draft.text).toBe('use jest');
  });

  test('is given back with a large paste, which is sent whole', () => {
    const window = noting();
    const pasted = Array.from({length: 30}, (_, index) => `line ${index}`).join('\n');
    window.paste(pasted);
    window.press('escape', 'escape', 'down', 'enter');
    expect(window.performed('open_beside')).toMatchObject([{prompt: pasted}]);
    expect(window.state.history.project).toEqual([pasted]);
  });

  test('gets what is pasted over it after Ctrl+X', () => {
    const window = noting();
    window.press('ctrl+x');
    expect(window.state.overlay.kind).not.toBe('none');
    window.paste('use jest');
    expect(window.state.overlay.kind).toBe('none');
    expect(window.state.sessions['other']?.note?.draft.text).toBe('use jest');
    expect(window.draft).toBe('');
  });

  test('is given back to the prompt of a new session, also while the board is filtered', () => {
    const window = noting();
    window.dispatch({type: 'board_changed', change: {typing: 'filter'}});
    window.type('use jest');
    window.press('escape', 'escape', 'down', 'escape');
    expect(board(window)).toMatchObject({typing: 'new', draft: {text: 'use jest'}});
  });
});

test('the prompt of a session that cannot be opened is given back', () => {
  const window = boardOf(row('a'));
  window.type('bump zod');
  window.press('enter');
  window.dispatch({type: 'new_prompt_returned', text: 'bump zod'});
  expect(board(window).draft.text).toBe('bump zod');
  window.press('escape');
  window.press('ctrl+u');
  window.dispatch({type: 'new_prompt_returned', text: 'bump zod'});
  expect(window.draft).toBe('bump zod');
});

describe('what was typed on the board', () => {
  test('for a new session is in the prompt of the session that is shown instead', () => {
    const window = openWindow();
    addAsking(window, 'other', 'r1');
    window.press('left');
    window.type('refactor the parser');
    window.press('ctrl+x', '2');
    expect(window.state).toMatchObject({active: 'other', board: undefined});
    expect(window.draft).toBe('refactor the parser');
  });

  test('for a session is in its prompt when it is opened, or when another one begins', () => {
    for (const opens of [true, false]) {
      const window = openWindow();
      addAsking(window, 'other', 'r1');
      window.press('left');
      window.type(' ');
      window.type('use pnpm');
      window.press('escape');
      if (opens) window.press('enter');
      else window.dispatch({type: 'session_activated', key: 'main'});
      expect(window.state.board).toBeUndefined();
      expect(window.state.sessions['other']?.draft.text).toBe('use pnpm');
    }
  });
});
