import {describe, expect, test} from 'vitest';
import {boardRows, countsOf, groupOf} from '../../../../src/app/board/board-rows.ts';
import {openWindow} from '../../../support/window/app-window.ts';
import {addAsking, board, boardOf, draw, NOW, row, titles} from './board-window.ts';

describe('the board', () => {
  test('lists what needs the user first, the one first that has waited longest', () => {
    const window = boardOf(
      row('idle'),
      row('works', {status: 'working'}),
      row('waits', {status: 'waiting', at: NOW - 2000}),
      row('waits longer', {status: 'waiting', at: NOW - 3000}),
      row('done', {status: 'done'}),
      row('failed', {status: 'failed'}),
    );
    expect(titles(window)).toEqual([
      'task waits longer',
      'task waits',
      'task works',
      'task done',
      'task idle',
      'task failed',
    ]);
    const rows = boardRows(window.state, board(window));
    expect(countsOf(rows)).toBe('needs you 2 · working 1 · done 1 · idle 1 · failed 1');
  });

  test('opens with ← in an empty prompt only, and Esc closes it', () => {
    const window = openWindow();
    window.type('a');
    window.press('left');
    expect(window.state.board).toBeUndefined();
    window.press('delete', 'left');
    expect(window.state.board).toBeDefined();
    window.press('escape');
    expect(window.state.board).toBeUndefined();
  });

  test('starts a session with what is typed, as chosen', () => {
    const window = boardOf(row('a'));
    window.press('alt+l');
    window.press('down', 'enter');
    window.press('alt+w', 'alt+s', 'alt+s', 'alt+s');
    window.type('bump zod');
    window.press('enter');
    expect(window.performed('open_beside')).toEqual([
      {
        kind: 'open_beside',
        prompt: 'bump zod',
        next: {approval: expect.any(String), worktree: true, sandbox: true},
      },
    ]);
  });

  test('keeps what was typed for another session when it is closed', () => {
    const window = boardOf(row('a'));
    window.type('bump');
    window.press('escape');
    expect(window.draft).toBe('bump');
  });

  test('filters by names and by what was said, and opens the session that is left', () => {
    const window = boardOf(row('a'), row('b', {cwd: '/web'}), row('c'));
    window.press('/');
    window.type('web');
    expect(titles(window)).toEqual(['task b']);
    window.press('ctrl+u');
    window.type('zebra');
    expect(titles(window)).toEqual([]);
    const said = {
      filter: 'zebra',
      places: new Map([['c', {text: 'a zebra hides', match: 'zebra', entry: 1}]]),
    };
    window.dispatch({type: 'sessions_searched', said});
    expect(boardRows(window.state, board(window))).toMatchObject([{title: 'task c', line: 'a zebra hides'}]);
    window.press('enter');
    expect(window.performed('resume_session')).toEqual([{kind: 'resume_session', row: 'c', fork: false}]);
    expect(window.state.board).toBeUndefined();
  });

  test('groups by state, folder and agent', () => {
    const window = boardOf(row('a', {cwd: '/web'}), row('b', {cwd: '/api', agent: 'Claude'}));
    const groups = () => boardRows(window.state, board(window)).map((each) => groupOf(each, board(window)));
    expect(groups()).toEqual(['Idle', 'Idle']);
    window.press('alt+g');
    expect(groups()).toEqual(['/api', '/web']);
    window.press('alt+g');
    expect(groups()).toEqual(['Claude', 'Codex']);
  });

  test('says which request it cannot answer', () => {
    const window = boardOf(row('a', {status: 'waiting'}));
    window.dispatch({type: 'board_changed', change: {elsewhere: 'a'}});
    window.press('tab');
    expect(window.state.toast?.text).toBe('It runs in another window: answer it there.');
  });
});

describe('a request on the board', () => {
  test('is answered in its own session, after it was shown, and only when the user went to it', () => {
    const window = openWindow();
    addAsking(window, 'other', 'r1');
    window.press('left');
    expect(window.state).toMatchObject({active: 'main', board: {session: 'other'}, request: {id: 'r1'}});
    window.type('y');
    expect(board(window).draft.text).toBe('y');
    window.press('ctrl+u', 'tab');
    window.type('y');
    expect(window.performed('call')).toEqual([]);
    draw(window);
    window.wait(2000);
    window.type('y');
    expect(window.performed('call')).toMatchObject([
      {key: 'other', action: 'answer', args: ['r1', {kind: 'option', index: 0}]},
    ]);
    expect(window.state.active).toBe('main');
  });

  test('is not answered by a key that was meant for the one before it', () => {
    const window = openWindow();
    addAsking(window, 'one', 'r1');
    addAsking(window, 'two', 'r2');
    window.press('left', 'tab');
    draw(window);
    window.wait(2000);
    const first = window.state.request?.id;
    window.type('n');
    const [call] = window.performed('call');
    expect(call).toMatchObject({action: 'answer', args: [first, {kind: 'option', index: 1}]});
    const resolved = {
      type: 'permission_resolved',
      id: first!,
      at: NOW,
      decision: {by: 'user', outcome: 'denied'},
    };
    window.dispatch({type: 'session', key: call!.key, event: resolved as never, at: 0});
    expect(window.state.request?.id).not.toBe(first);
    expect(window.state.focus).toEqual({kind: 'prompt'});
    window.type('n');
    expect(window.performed('call')).toHaveLength(1);
    expect(board(window).draft.text).toBe('n');
  });

  test('that was answered elsewhere leaves the board, and its keys', () => {
    const window = openWindow();
    addAsking(window, 'other', 'r1', true);
    window.dispatch({type: 'board_opened'});
    const stored = [row('id', {status: 'waiting', key: 'other'})];
    window.dispatch({type: 'board_changed', change: {stored}});
    window.press('tab');
    draw(window);
    window.wait(2000);
    const decision = {by: 'user', outcome: 'allowed', option: 'Yes'};
    const resolved = {type: 'permission_resolved', id: 'r1', at: NOW, decision};
    window.dispatch({type: 'session', key: 'other', event: resolved as never, at: 0});
    expect(window.state.request).toBeUndefined();
    expect(window.state.toast?.text).toContain('Answered in another window: Yes.');
    window.type('y');
    expect(window.performed('call')).toEqual([]);
  });

  test('leaves the one of the active session as it was, which is unread when the board closes', () => {
    const window = openWindow();
    addAsking(window, 'other', 'r1');
    window.press('left');
    draw(window);
    window.press('escape');
    expect(window.state).toMatchObject({request: undefined, focus: {kind: 'prompt'}});
  });
});

test('Ctrl+X a goes to the session that has waited longest', () => {
  const window = openWindow();
  window.press('ctrl+x', 'a');
  expect(window.performed('show_waiting')).toHaveLength(1);
});

describe('keys for the session that the board covers', () => {
  /** A window with a draft and a command in its session, below the board. */
  function covered() {
    const window = openWindow();
    addAsking(window, 'other', 'r1');
    window.type('half-written');
    window.press('ctrl+x', 'b');
    return window;
  }

  test('do nothing there', () => {
    for (const key of ['d', 'k', 'i', 't', 'g', 'o', 'r', 'p']) {
      const window = covered();
      window.press('ctrl+x', key);
      expect(window.performed('call')).toEqual([]);
      expect(window.state).toMatchObject({overlay: {kind: 'none'}, active: 'main'});
      expect(window.state.toast?.text).toBe('Open the session first.');
    }
  });

  test.each(['ctrl+o', 'ctrl+t', 'shift+tab'])('do nothing in a request on it, nor in a note: %s', (key) => {
    for (const isNoting of [false, true]) {
      const window = covered();
      window.press('tab');
      draw(window);
      window.wait(2000);
      if (isNoting) window.type('r');
      expect(window.state.focus.kind).toBe(isNoting ? 'note' : 'request');
      window.press(key);
      expect(window.performed('call')).toEqual([]);
      expect(window.state).toMatchObject({overlay: {kind: 'none'}, board: {session: 'other'}});
      expect(window.state.toast?.text).toBe('Open the session first.');
    }
  });

  test('send what is typed on the board', () => {
    const window = covered();
    window.press('ctrl+x', 'enter');
    expect(window.performed('open_beside')).toEqual([]);
    window.type('new task');
    window.press('ctrl+x', 'enter');
    expect(window.performed('open_beside')).toMatchObject([{prompt: 'new task'}]);
    expect(window.performed('call')).toEqual([]);
    expect(window.draft).toBe('half-written');
    expect(window.state.history.project).toEqual(['new task']);
  });
});
