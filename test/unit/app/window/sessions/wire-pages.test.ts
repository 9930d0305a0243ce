import {expect, test} from 'vitest';
import {createTab} from '../../../../../src/app/initial.ts';
import {createSessionNames, wirePicker} from '../../../../../src/app/pages/wire-pages.ts';
import {exchangesOf} from '../../../../../src/recording/exchanges.ts';
import type {RecordingLine} from '../../../../../src/recording/format.ts';
import type {SessionState} from '../../../../../src/session/state.ts';
import {
  reduceEvents,
  newSession,
  opened,
  prompted,
  reduceUpdates,
} from '../../../../support/session/build.ts';
import {openWindow} from '../../../../support/window/app-window.ts';

const start = {t: 0, d: '#', e: 'start', v: 1, program: 'acp-tui', cwd: '/'} as const;
const from = (t: number, sessionId: string, p?: number): RecordingLine => ({
  t,
  ...(p !== undefined && {p}),
  d: '<',
  m: {method: 'session/update', params: {sessionId, update: {content: {text: `from ${sessionId}`}}}},
});
const opens: readonly RecordingLine[] = [
  {t: 1, d: '>', m: {id: 0, method: 'session/new', params: {}}},
  {t: 2, d: '<', m: {id: 0, result: {sessionId: 's1'}}},
];
const first: RecordingLine = {...start, at: 0, agent: {label: 'claude', command: 'claude', args: []}};
const other: RecordingLine = {...start, p: 2, at: 500, agent: {label: 'codex', command: 'codex', args: []}};

function windowWith(session: SessionState) {
  const window = openWindow();
  window.say('fix the bug');
  const tab = createTab({key: 'second', agentLabel: 'codex', session, approval: 'none'});
  window.dispatch({type: 'session_added', key: 'second', tab});
  return window;
}

function rows(window: ReturnType<typeof openWindow>, ...lines: readonly RecordingLine[]) {
  const exchanges = exchangesOf(lines);
  const {items} = wirePicker(exchanges, () => [], createSessionNames(exchanges, window.state));
  return items.map(({label, description}) => `${/^[^<>#]+/.exec(label)?.[0]}${description}`);
}

test('the protocol log names the session and the agent of each message, on one clock', () => {
  const asked = reduceEvents(opened, newSession('s2'), prompted('write the docs'));
  const window = windowWith(
    reduceUpdates(asked, {sessionUpdate: 'subagent_update', sessionId: 'c1', title: 'Reviewer'}),
  );
  const lines = [
    first,
    ...opens,
    from(10, 's1'),
    other,
    from(20, 's2', 2),
    from(30, 'c1', 2),
    from(600, 's9'),
  ];
  expect(rows(window, ...lines)).toEqual([
    '1 claude 0.000 claude',
    '1 claude 0.001 Session 1 (fix the bug) · 1 ms s1',
    '1 claude 0.010 Session 1 (fix the bug) · from s1',
    '2 codex 0.500 codex',
    '2 codex 0.520 Session 2 (write the docs) · from s2',
    '2 codex 0.530 Reviewer, Session 2 (write the docs) · from c1',
    '1 claude 0.600 s9 · from s9',
  ]);
});

test('the protocol log omits names if all messages are of one session', () => {
  expect(rows(openWindow(), first, ...opens, from(10, 's1'))).toEqual([
    '0.000 claude',
    '0.001 1 ms s1',
    '0.010 from s1',
  ]);
});
