import {describe, expect, test} from 'vitest';
import {createTab} from '../../../../../src/app/initial.ts';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {draftOf, draftText} from '../../../../../src/app/editor/draft.ts';
import {age} from '../../../../../src/text/format.ts';
import {interruptedPicker, showSessions} from '../../../../../src/app/pickers/session-picker.ts';
import {statusLine} from '../../../../../src/app/status/status-line.ts';
import {visibleItems} from '../../../../../src/app/pickers/picker.ts';
import {initialSession} from '../../../../../src/session/initial.ts';
import {notifications, terminalTitle} from '../../../../../src/app/status/notifications.ts';
import type {AppEvent} from '../../../../../src/app/events.ts';
import {openWindow, options} from '../../../../support/window/app-window.ts';
import type {SessionRow} from '../../../../../src/app/pickers/listings.ts';
import {sessionRow} from '../../../../support/session/session-row.ts';

const NOW = 1_000_000_000_000;

function row(id: string, more: Partial<SessionRow> = {}): SessionRow {
  return sessionRow(id, {title: undefined, firstPrompt: `prompt ${id}`, at: NOW - 60_000, ...more});
}

/** A window with its list of sessions open. */
function listing(...rows: readonly SessionRow[]) {
  const window = openWindow();
  window.say('/resume');
  window.dispatch({type: 'sessions_found', list: {scope: 'folder', isGrowing: false, rows, at: NOW}});
  return window;
}

function shown(window: ReturnType<typeof openWindow>) {
  const {overlay} = window.state;
  if (overlay.kind !== 'picker') throw new Error(`no list but ${overlay.kind}`);
  return visibleItems(overlay.picker).map(({label, description}) => [label, description]);
}

describe('the list of sessions', () => {
  test('is loaded, and describes each session, newest first', () => {
    const window = listing(
      row('old', {at: NOW - 3 * 3_600_000, branch: 'main', bytes: 2048}),
      row('new', {title: 'Sky', status: 'interrupted'}),
    );
    expect(window.performed('find_sessions')).toEqual([{kind: 'find_sessions', scope: 'folder'}]);
    expect(shown(window)).toEqual([
      ['Sky', 'interrupted · 1 min · Demo agent · prompt new'],
      ['prompt old', '3 h · main · Demo agent · 2 KiB'],
    ]);
  });

  test('shows those in which the filter was said after those that it names, once, and only for this filter', () => {
    const window = listing(row('named', {title: 'The sky'}), row('said', {title: 'Colors'}), row('other'));
    const said = (text: string) => ({text, match: 'sky', entry: 3});
    const filter = (text: string) => window.dispatch({type: 'picker_changed', change: {filter: text}});
    filter('sky');
    expect(shown(window).map(([label]) => label)).toEqual(['The sky']);
    const places = new Map([
      ['gone', said('the sky')],
      ['named', said('a blue sky')],
      ['said', said('why is the sky blue?')],
    ]);
    window.dispatch({type: 'sessions_searched', said: {filter: 'sky', places}});
    expect(shown(window).map(([label]) => label)).toEqual(['The sky', 'Colors']);
    expect(shown(window)[1]).toEqual(['Colors', 'why is the sky blue?']);
    window.press('down');
    window.press('enter');
    expect(window.performed('resume_session')).toMatchObject([{row: 'said'}]);
    window.say('/resume');
    filter('skyx');
    window.dispatch({type: 'sessions_searched', said: {filter: 'sky', places}});
    expect(shown(window)).toEqual([]);
  });

  test.each([
    ['tab', 'everywhere'],
    ['ctrl+r', 'folder'],
  ] as const)('shows those in which the filter was said also after %s', (key, scope) => {
    const rows = [row('said', {title: 'Colors'})];
    const window = listing(...rows);
    window.dispatch({type: 'picker_changed', change: {filter: 'sky'}});
    const places = new Map([['said', {text: 'why is the sky blue?', match: 'sky', entry: 3}]]);
    window.dispatch({type: 'sessions_searched', said: {filter: 'sky', places}});
    window.press(key);
    window.dispatch({type: 'sessions_found', list: {scope, isGrowing: false, rows, at: NOW}});
    expect(shown(window)).toEqual([['Colors', 'why is the sky blue?']]);
  });

  test('says what a waiting session asks', () => {
    const asks = `Allow ${'npm test '.repeat(9).trim()}?`;
    const window = listing(row('waits', {status: 'waiting', asks}));
    expect(shown(window)).toEqual([['prompt waits', `needs you · ${asks} · 1 min · Demo agent`]]);
    const {overlay} = window.state;
    expect(overlay).toMatchObject({
      picker: {
        items: [{columns: ['needs you', 'Allow npm test npm test npm…', '1 min', 'Demo agent', '', '']}],
      },
    });
  });

  test('hides runs of print mode until asked for them, and marks them', () => {
    const window = listing(
      row('mine', {status: 'waiting'}),
      row('script', {byPrint: true, status: 'working'}),
    );
    expect(shown(window)).toEqual([['prompt mine', 'needs you · 1 min · Demo agent']]);
    const {overlay} = window.state;
    expect(overlay).toMatchObject({picker: {note: '1 print-mode run hidden · Ctrl+R show'}});
    window.press('ctrl+r');
    const rows = [row('mine'), row('script', {byPrint: true, status: 'working'})];
    window.dispatch({type: 'sessions_found', list: {scope: 'folder', isGrowing: false, rows, at: NOW}});
    expect(shown(window)).toEqual([
      ['prompt mine', '1 min · Demo agent'],
      ['prompt script', 'print mode · working · 1 min · Demo agent'],
    ]);
    expect(window.state.overlay).toMatchObject({picker: {note: undefined}});
  });

  test('keeps filter and selection while it grows', () => {
    const window = listing(row('a'), row('b', {at: NOW - 120_000}));
    window.press('down');
    window.dispatch({
      type: 'sessions_found',
      list: {scope: 'folder', isGrowing: false, rows: [row('a'), row('b'), row('c', {at: NOW})], at: NOW},
    });
    window.press('enter');
    expect(window.performed('resume_session')).toEqual([{kind: 'resume_session', row: 'b', fork: false}]);
  });

  test('that is opened to fork one still does in other scopes', () => {
    const window = openWindow();
    window.take(showSessions('folder', {fork: true}));
    const rows = [row('a')];
    window.dispatch({type: 'sessions_found', list: {scope: 'folder', isGrowing: false, rows, at: NOW}});
    expect(window.state.overlay).toMatchObject({picker: {title: 'Sessions of this folder to fork'}});
    window.press('tab', 'ctrl+r');
    window.dispatch({type: 'sessions_found', list: {scope: 'everywhere', isGrowing: false, rows, at: NOW}});
    expect(window.state.overlay).toMatchObject({picker: {title: 'Sessions of all folders to fork'}});
    window.press('enter');
    expect(window.performed('resume_session')).toEqual([{kind: 'resume_session', row: 'a', fork: true}]);
  });

  test('filters by typing, in titles and prompts', () => {
    const window = listing(row('a', {title: 'Parser'}), row('b', {title: 'Sky', firstPrompt: 'why blue'}));
    window.type('blue');
    expect(shown(window).map(([label]) => label)).toEqual(['Sky']);
  });

  test('shows all folders with a key, keeping the filter', () => {
    const window = listing(row('a'));
    window.type('pro');
    window.press('tab');
    expect(window.performed('find_sessions').at(-1)).toEqual({kind: 'find_sessions', scope: 'everywhere'});
    const list = {scope: 'everywhere', isGrowing: false, rows: [row('a')], at: NOW} as const;
    window.dispatch({type: 'sessions_found', list});
    expect(shown(window)).toEqual([['prompt a', '1 min · /project · Demo agent']]);
    expect(window.state.overlay).toMatchObject({
      picker: {filter: 'pro', title: expect.stringContaining('all folders')},
    });
    // Late results for the other one are not shown here.
    window.dispatch({type: 'sessions_found', list: {scope: 'folder', isGrowing: false, rows: [], at: NOW}});
    expect(window.state.overlay).toMatchObject({picker: {title: expect.stringContaining('all folders')}});
  });

  test('forks, deletes and archives the selected one', () => {
    const window = listing(row('a'));
    window.press('ctrl+d', 'ctrl+e', 'ctrl+f');
    expect(window.effects.slice(-3)).toEqual([
      {kind: 'delete_session', row: 'a', sure: false},
      {kind: 'archive_session', row: 'a'},
      {kind: 'resume_session', row: 'a', fork: true},
    ]);
  });

  test('shows the archive after all folders; there the archive key restores', () => {
    const window = listing(row('a'));
    window.press('tab', 'tab');
    expect(window.performed('find_sessions').at(-1)).toEqual({kind: 'find_sessions', scope: 'archived'});
    const list = {scope: 'archived', isGrowing: false, rows: [row('a')], at: NOW} as const;
    window.dispatch({type: 'sessions_found', list});
    window.press('ctrl+e');
    expect(window.effects.at(-1)).toEqual({kind: 'unarchive_session', row: 'a'});
    window.press('tab');
    expect(window.performed('find_sessions').at(-1)).toEqual({kind: 'find_sessions', scope: 'folder'});
  });

  test('starts with the words after /resume', () => {
    const window = openWindow();
    window.say('/resume sky');
    expect(window.state.overlay).toMatchObject({picker: {filter: 'sky'}});
  });
});

test('Enter resumes an interrupted session, and typing goes to the prompt', () => {
  const window = openWindow();
  const picker = interruptedPicker({id: 'own', name: 'Sky', ago: 0});
  const open = () => window.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}});
  open();
  window.press('enter');
  open();
  window.press('down', 'down', 'enter');
  expect(window.effects.slice(-2)).toEqual([
    {kind: 'resume_session', row: 'own', fork: false},
    {kind: 'mark_session_closed', row: 'own'},
  ]);
  open();
  window.type('hi');
  expect(window.draft).toBe('hi');
});

test.each([
  [0, 'now'],
  [59 * 60_000, '59 min'],
  [23.5 * 3_600_000, '23 h'],
  [29 * 86_400_000, '29 d'],
  [45 * 86_400_000, '1 month'],
  [70 * 86_400_000, '2 months'],
  [400 * 86_400_000, '1 year'],
  [800 * 86_400_000, '2 years'],
])('%i ms ago is %s', (ms, text) => {
  expect(age(ms)).toBe(text);
});

describe('several sessions', () => {
  function asked(id: string): Extract<AppEvent, {type: 'session'}>['event'] {
    const request = {sessionId: 's2', toolCall: {toolCallId: id}, options: options('allow_once')};
    return {type: 'permission_requested', id, request, at: 0};
  }

  function another(key: string) {
    const session = initialSession({cwd: '/other', additionalDirectories: [], at: 0});
    return createTab({key, agentLabel: 'other', session, approval: 'none'});
  }

  function two() {
    const window = openWindow();
    window.dispatch({type: 'session_added', key: 'second', tab: another('second')});
    return window;
  }

  test('each have a draft, and Ctrl+X with a digit shows one', () => {
    const window = two();
    window.type('one');
    window.press('ctrl+x', '2');
    expect(window.draft).toBe('');
    window.type('two');
    window.press('ctrl+x', '1');
    expect(window.draft).toBe('one');
    expect(statusLine(window.state, 0)).toMatchObject({agent: 'demo', place: '1/2'});
    window.press('ctrl+x', '3');
    expect(hintLine(window.state)).toBe('2 sessions are open.');
  });

  test('report a request in a background session, whatever else is there', () => {
    const window = two();
    const waiting = () => statusLine(window.state, 0).waiting;
    window.ask('1');
    expect(waiting()).toBeUndefined();
    window.dispatch({type: 'session_activated', key: 'second'});
    expect(waiting()).toBe('Session 1 needs you (Ctrl+X 1)');
    window.type('!ls');
    expect(waiting()).toBe('Session 1 needs you (Ctrl+X 1)');
    window.press('ctrl+x', '1');
    expect(window.state.request?.id).toBe('1');
    expect(waiting()).toBeUndefined();
  });

  test('report a request in the background while the shown one has one, too, and each rings', () => {
    const window = two();
    window.ask('1');
    const before = window.state;
    window.dispatch({type: 'session', key: 'second', event: asked('2'), at: 0});
    expect(notifications(before, window.state)[0]?.text).toBe('other asks for permission');
    expect(statusLine(window.state, 0).waiting).toBe('Session 2 needs you (Ctrl+X 2)');
    window.dispatch({type: 'session_added', key: 'third', tab: another('third')});
    window.dispatch({type: 'session_activated', key: 'third'});
    expect(statusLine(window.state, 0).waiting).toBe('Sessions 1, 2 need you (Ctrl+X 1)');
    window.press('ctrl+x', '2');
    expect(statusLine(window.state, 0).waiting).toBe('Session 1 needs you (Ctrl+X 1)');
  });

  test('of the background service are reported once, beside those of the window', () => {
    const window = two();
    const waits = (...titles: readonly string[]) => {
      const before = window.state;
      const waitingElsewhere = titles.map((title) => ({id: title, title}));
      window.dispatch({type: 'changed', change: {waitingElsewhere}});
      return notifications(before, window.state).map(({text}) => text);
    };
    const waiting = () => statusLine(window.state, 0).waiting;
    expect(waits('fix it')).toEqual(['A session in the background needs you: fix it']);
    expect(waiting()).toBe('1 in the background needs you (Ctrl+X a)');
    expect(terminalTitle(window.state)).toMatch(/^1 in the background needs you \(Ctrl\+X a\) · /);
    window.dispatch({type: 'session', key: 'second', event: asked('2'), at: 0});
    expect(waits('test it', 'fix it')).toEqual(['A session in the background needs you: test it']);
    expect(waiting()).toBe('Session 2 and 2 in the background need you (Ctrl+X 2)');
    expect(waits()).toEqual([]);
    expect(waiting()).toBe('Session 2 needs you (Ctrl+X 2)');
  });

  test('beyond the digits have the key of the one that has waited longest', () => {
    const window = openWindow();
    for (let number = 2; number <= 10; number++)
      window.dispatch({type: 'session_added', key: `s${number}`, tab: another(`s${number}`)});
    window.dispatch({type: 'session_activated', key: 'main'});
    window.dispatch({type: 'session', key: 's10', event: asked('9'), at: 0});
    expect(statusLine(window.state, 0).waiting).toBe('Session 10 needs you (Ctrl+X a)');
  });

  test('report warnings and changes of a background session with its name', () => {
    const window = two();
    window.say('fix the bug');
    window.agent({type: 'notice', level: 'warning', text: 'Here.'});
    expect(window.state.toast?.text).not.toBe('Here.');
    window.dispatch({type: 'session_activated', key: 'second'});
    window.agent({type: 'notice', level: 'warning', text: 'Mind\nthis.'});
    expect(hintLine(window.state)).toBe('Session 1 (fix the bug): Mind this.');
    window.dispatch({type: 'toast_shown', text: 'Refused.', until: window.now + 1000, of: 'main'});
    expect(hintLine(window.state)).toBe('Session 1 (fix the bug): Refused.');
    window.dispatch({type: 'toast_shown', text: 'Mine.', until: window.now + 1000, of: 'second'});
    expect(hintLine(window.state)).toBe('Mine.');
  });

  test('pass on the draft of an empty session', () => {
    const window = two();
    window.dispatch({type: 'draft_changed', key: 'main', draft: draftOf('half'), at: 0});
    window.dispatch({type: 'session_handed_over', from: 'main', key: 'second'});
    const {main, second} = window.state.sessions;
    expect([main, second].map((tab) => tab && draftText(tab.draft))).toEqual(['', 'half']);
  });

  test('close one by one, and the last one stays', () => {
    const window = two();
    window.dispatch({type: 'session_removed', key: 'main'});
    expect(window.state.active).toBe('second');
    window.dispatch({type: 'session_removed', key: 'second'});
    expect(Object.keys(window.state.sessions)).toEqual(['second']);
  });
});
