import {expect, test} from 'vitest';
import {SidePanel, sidePanelOf} from '../../../components/viewer/side-panel.tsx';
import {Tabs, tabsOf} from '../../../components/viewer/tabs.tsx';
import {createTab} from '../../../src/app/initial.ts';
import type {ConnectionState} from '../../../src/session/state.ts';
import {statusLine} from '../../../src/app/status/status-line.ts';
import {terminalTitle} from '../../../src/app/status/notifications.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {openWindow} from '../../support/window/app-window.ts';
import {frameOf} from '../../support/screen/frame-of.tsx';
import {plainTheme} from '../../support/screen/theme.ts';

const wide = plainTheme({columns: 140});

function planned() {
  const window = openWindow();
  const entries = [{content: 'Find the race', status: 'in_progress', priority: 'low'}] as const;
  window.agent({type: 'session_update', update: {sessionUpdate: 'plan', entries: [...entries]}});
  return window.state;
}

test('the side panel leaves its columns to nothing if it has nothing to show, or no room', () => {
  expect(sidePanelOf(openWindow().state, wide)).toEqual({rows: [], columns: 140});
  expect(sidePanelOf(planned(), plainTheme({columns: 131}))).toEqual({rows: [], columns: 131});
});

test('the side panel is as high as what is beside it, behind a line', () => {
  const {rows, columns} = sidePanelOf(planned(), wide);
  expect(columns).toBe(103);
  const shown = (height: number) =>
    frameOf(<SidePanel rows={rows} beside={Array.from({length: height}, () => 'text')} />, wide);
  expect(shown(1)).toBe(' │ Plan 0/1');
  expect(shown(3)).toBe(' │ Plan 0/1\n │ ◐ Find the race\n │');
});

test('the side panel lists several open sessions above the rest, each with what it does', () => {
  const window = openWindow();
  window.agent({type: 'session_update', update: {sessionUpdate: 'session_info_update', title: 'The first'}});
  const session = initialSession({cwd: '/work', additionalDirectories: [], at: 0});
  const tab = createTab({key: 'two', agentLabel: 'other', session, approval: 'none'});
  window.dispatch({type: 'session_added', key: 'two', tab});
  const {rows} = sidePanelOf(window.state, wide);
  expect(rows[0]).toBe('Sessions');
  expect(rows[1]).toMatch(/^1 The first +idle$/);
  expect(rows[2]).toMatch(/^2 other +working$/);
  // What only the board shows is not open.
  const peeked = {...window.state, sessions: {...window.state.sessions, two: {...tab, isPeeked: true}}};
  expect(sidePanelOf(peeked, wide).rows).toEqual([]);
});

test.each<[string, ConnectionState]>([
  ['needs you', {kind: 'authentication_required', methods: []}],
  ['ended', {kind: 'closed'}],
  ['◐', {kind: 'starting', step: 'launching', since: 0}],
  ['', {kind: 'ready'}],
])('a tab, the side panel, the title and the status line have the same word: %s', (word, connection) => {
  const window = openWindow();
  const session = initialSession({cwd: '/work', additionalDirectories: [], at: 0});
  const tab = createTab({key: 'two', agentLabel: 'other', session, approval: 'none'});
  window.dispatch({type: 'session_added', key: 'two', tab});
  window.dispatch({
    type: 'session',
    key: 'two',
    event: {type: 'connection_changed', connection, at: 0},
    at: 0,
  });
  const {state} = window;
  const [, text = ''] = tabsOf(state, wide).map((each) => each.text.trim());
  expect(text.replace('! ', '')).toBe(`2 other ${word}`.trim());
  expect(sidePanelOf(state, wide).rows[2]).toContain(word === '◐' ? 'working' : word);
  expect(statusLine(state, 0).waiting !== undefined).toBe(word === 'needs you');
  const title = terminalTitle({...state, active: 'two'}).toLowerCase();
  expect(title).toContain(word === '◐' ? 'working' : word);
});

test('the line is left out beside text that terminals disagree on', () => {
  expect(frameOf(<SidePanel rows={[]} beside={['text', '👨‍👩‍👧']} />, wide)).toBe(' │\n');
});

test('a single session has no tab', () => {
  const {state} = openWindow();
  expect(tabsOf(state, wide)).toEqual([]);
  expect(frameOf(<Tabs tabs={[]} />, wide)).toBe('');
});
