import {expect, test} from 'vitest';
import {boardPanel} from '../../../components/board/board.ts';
import {nextSessionLine} from '../../../src/app/board/next-session.ts';
import {createTab} from '../../../src/app/initial.ts';
import type {SessionRow} from '../../../src/app/pickers/listings.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {linesOfPanel} from '../../support/screen/frame-of.tsx';
import {openWindow, options} from '../../support/window/app-window.ts';
import {symbolsFor} from '../../../components/theme/symbols.ts';
import {sessionRow} from '../../support/session/session-row.ts';

const NOW = 1_000_000_000_000;

const ROW = sessionRow('a', {
  title: 'fix the flaky test',
  at: NOW - 120_000,
  cwd: '/home/me/api',
  branch: 'fix/flaky',
  agent: 'Codex',
  status: 'idle',
});

const ROWS: readonly SessionRow[] = [
  {...ROW, status: 'waiting', asks: 'Allow npm test -- --retry?'},
  {...ROW, id: 'b', title: 'bump dependencies', status: 'working', says: 'npm install'},
  {
    ...ROW,
    id: 'c',
    title: 'review of #812',
    agent: 'Claude Code',
    status: 'done',
    says: 'Two findings.',
    spent: {amount: 0.42, currency: 'USD'},
    changes: {files: 3, added: 40, removed: 12},
  },
];

function boardWith(stored: readonly SessionRow[]) {
  const window = openWindow();
  window.press('left');
  window.dispatch({type: 'board_changed', change: {stored, at: NOW}});
  return window;
}

function panel({state}: ReturnType<typeof openWindow>, theme = plainTheme({columns: 120}), rows = 30) {
  return boardPanel(state, state.board!, rows, theme);
}

function lines(columns: number): string[] {
  const theme = plainTheme({columns});
  return linesOfPanel(panel(boardWith(ROWS), theme), theme).map((line) => line.trimEnd());
}

test('120 columns have all facts, aligned, and each state a sign of its own', () => {
  expect(lines(120).slice(1, 7)).toEqual([
    'Needs you',
    '❯ ! fix the flaky test  Codex        api  fix/flaky  2 min  Allow npm test -- --retry?',
    'Working',
    '  ◐ bump dependencies   Codex        api  fix/flaky  2 min  npm install',
    'Done',
    '  ● review of #812      Claude Code  api  fix/flaky  2 min  Two findings.                         3 files +40 −12  $0.42',
  ]);
});

test('80 columns have what matters most', () => {
  expect(
    lines(80)
      .slice(2, 7)
      .filter((line) => /^. \S \S/.test(line)),
  ).toEqual([
    '❯ ! fix the flaky test  Codex        api  2 min  Allow npm test -- --retry?',
    '  ◐ bump dependencies   Codex        api  2 min  npm install',
    '  ● review of #812      Claude Code  api  2 min  Two findings.',
  ]);
});

test('39 columns have titles and ages; what the selected one asks is below them', () => {
  const shown = lines(39);
  expect(shown.slice(2, 7).filter((line) => /^. \S \S/.test(line))).toEqual([
    '❯ ! fix the flaky te…  2 min',
    '  ◐ bump dependencies  2 min',
    '  ● review of #812     2 min',
  ]);
  expect(shown).toContain('    Allow npm test -- --retry?');
  expect(Math.max(...shown.map(({length}) => length))).toBeLessThanOrEqual(39);
});

test('what the selected session asks is below the list, with all answers, and its rows are reported', () => {
  const window = openWindow();
  const session = initialSession({cwd: '/api', additionalDirectories: [], at: NOW});
  window.dispatch({
    type: 'session_added',
    key: 'other',
    tab: createTab({key: 'other', agentLabel: 'codex', session, approval: undefined}),
  });
  const toolCall = {toolCallId: 'c', title: 'npm test', kind: 'execute' as const};
  const request = {sessionId: 's', toolCall, options: options('allow_once', 'reject_once')};
  const event = {type: 'permission_requested', id: 'r', request, at: NOW} as const;
  window.dispatch({type: 'session', key: 'other', event, at: 0});
  window.press('left');
  const theme = plainTheme({columns: 80});
  const drawn = panel(window, theme);
  const text = linesOfPanel(drawn, theme).join('\n');
  expect(text).toContain('allow_once 0');
  expect(text).toContain('reject_once 1');
  expect(text).toContain('Tab answer');
  expect(drawn.scrolled?.subject).toMatchObject({kind: 'request', id: 'r'});
  expect(linesOfPanel(panel(window, theme, 8), theme).length).toBeLessThanOrEqual(8);
});

test('many sessions are scrolled to the selected one', () => {
  const window = boardWith(
    Array.from({length: 50}, (_, index) => ({...ROW, id: `s${index}`, title: `task ${index}`})),
  );
  window.press('up');
  const theme = plainTheme({columns: 80});
  const shown = linesOfPanel(panel(window, theme, 12), theme);
  expect(shown.length).toBeLessThanOrEqual(12);
  expect(shown.filter((line) => line.startsWith('❯'))).toHaveLength(1);
});

test('linear output says states in words, at any width, without what changes by itself', () => {
  const theme = plainTheme({columns: 40, isLinear: true, symbols: symbolsFor('unicode', true)});
  expect(panel(boardWith(ROWS), theme).spoken()).toEqual([
    'Sessions · needs you 1 · working 1 · done 1',
    'Selected: fix the flaky test, needs you, Codex, api, Allow npm test -- --retry?',
    'bump dependencies, working, Codex, api',
    'review of #812, done, Claude Code, api',
    'New session: demo · project · asks · sandbox as in settings · no worktree',
    expect.stringContaining('Enter open'),
  ]);
});

test('the line of the next session leaves out what is off first', () => {
  const window = boardWith(ROWS);
  const line = (columns: number) => nextSessionLine(window.state, window.state.board!, columns);
  expect([line(80), line(60)]).toEqual([
    'New session: demo · project · asks · sandbox as in settings · no worktree',
    'New session: demo · project · asks',
  ]);
  window.press('alt+s', 'alt+w');
  expect(line(60)).toBe('New session: demo · project · asks · sandbox · new worktree');
});

test('keys that do not fit are shown with another key, in turn, while nothing is typed', () => {
  const window = boardWith(ROWS);
  window.dispatch({type: 'changed', change: {screenColumns: 80}});
  const keys = () => {
    const theme = plainTheme({columns: 80, hints: window.state.hints});
    return linesOfPanel(panel(window, theme), theme).at(-1);
  };
  for (const text of ['Enter open', 'Alt+S sandbox', 'Alt+W worktree', 'Enter open']) {
    expect(keys()).toContain(text);
    expect(keys()).toContain('? more');
    window.press('?');
  }
  window.type('why?');
  expect(window.state.board?.draft.text).toBe('why?');
});

test('a prompt begins with that key where all keys fit', () => {
  const window = boardWith(ROWS);
  window.dispatch({type: 'changed', change: {screenColumns: 160}});
  window.type('?why');
  expect(window.state.board?.draft.text).toBe('?why');
});
