import {describe, expect, test} from 'vitest';
import {createTab} from '../../../../../src/app/initial.ts';
import {toolCall} from '../../../../../src/session/selectors.ts';
import {stallText} from '../../../../../src/app/status/progress.ts';
import {callUpdate, calls, update} from '../../../../support/session/build.ts';
import {activityText} from '../../../../support/window/activity-text.ts';
import {
  windowWithRequest,
  openWindow,
  type TestWindow,
  workingWindow,
} from '../../../../support/window/app-window.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Sets the machine's clock, and lets the agent send something, so that the window has read the new time. */
function setClock(window: TestWindow, by: number): void {
  window.setClock(by);
  window.agent({type: 'notice', level: 'info', text: 'It is later, or earlier.'});
}

describe.each([
  ['back', -DAY],
  ['forward', DAY],
])('changing the machine\u2019s clock %s', (_, by) => {
  test('neither enables nor disables a request', () => {
    const window = windowWithRequest();
    setClock(window, by);
    window.press('enter');
    expect(window.answers).toEqual([]);
    window.wait(1000);
    window.press('y');
    expect(window.answers).toEqual([0]);
  });

  test('does not affect when a request takes the focus', () => {
    const window = workingWindow();
    setClock(window, by);
    window.ask('1');
    window.draw();
    expect(window.state.focus.kind).toBe('prompt');
    window.wait(499);
    expect(window.state.focus.kind).toBe('prompt');
    window.wait(1);
    expect(window.state.focus.kind).toBe('request');
  });

  test('does not affect how long keys are ignored after a command has ended', () => {
    const window = workingWindow();
    window.agent({type: 'terminal_created', terminalId: 't', command: 'run', cwd: '/project', pty: true});
    window.press('ctrl+x', 'i');
    setClock(window, by);
    window.agent({type: 'terminal_exited', terminalId: 't', exit: {code: 0, signal: null}});
    window.type('x');
    expect(window.draft).toBe('');
    window.wait(1000);
    window.type('y');
    expect(window.draft).toBe('y');
  });

  test('does not affect how long a turn has run, is quiet, or takes to be cancelled', () => {
    const window = workingWindow();
    window.wait(3000);
    setClock(window, by);
    expect(activityText(window.open, window.now)).toBe('Working… 3 s');
    window.wait(26_999);
    expect(stallText(window.state, window.now)).toBeUndefined();
    window.wait(1);
    expect(stallText(window.state, window.now)).toContain('No output for 30 s.');
    window.press('escape');
    setClock(window, by);
    window.press('escape');
    expect(window.state.toast?.text).toContain('Already cancelling');
    window.wait(5000);
    window.press('escape');
    expect(window.state.overlay.kind).toBe('picker');
  });

  test('does not affect how long a hint is shown', () => {
    const window = openWindow();
    window.press('ctrl+c');
    setClock(window, by);
    window.wait(1000);
    expect(window.state.toast?.text).toContain('again to quit');
    window.wait(1500);
    expect(window.state.toast).toBeUndefined();
    window.press('ctrl+c');
    expect(window.performed('quit')).toEqual([]);
  });
});

test('a session that is shown while it works has worked since its turn began, whatever the window\u2019s clock says', () => {
  const {session} = workingWindow().open;
  const {turn} = session;
  const startedAt = turn.kind === 'idle' ? 0 : turn.startedAt;
  const shown = {key: 'a', agentLabel: 'demo', session, approval: undefined, at: 50};
  const attached = createTab({...shown, now: startedAt + 90_000});
  expect(activityText(attached, 50)).toBe('Working… 1 min 30 s');
  expect(activityText(createTab({...shown, now: startedAt - DAY}), 3050)).toBe('Working… 3 s');
});

test('a session that is shown while it works has been silent since its last update, and its tool has run since it began', () => {
  const window = workingWindow();
  window.wait(1000);
  window.agent(update(calls('t', {title: 'Build', status: 'in_progress'})));
  window.wait(20_000);
  window.agent(update(callUpdate('t', {title: 'Build it'})));
  const {session, since} = window.open;
  const shown = {key: 'a', agentLabel: 'demo', session, approval: undefined};
  const began = toolCall(session, 't')?.at ?? 0;
  const attached = createTab({...shown, at: window.now, now: began + 20_000});
  expect([attached.since.tool, attached.since.activity]).toEqual([since.tool, since.activity]);
  expect(since.activity - since.tool).toBe(20_000);
  window.wait(30_000);
  const {state} = window;
  expect(stallText({...state, sessions: {[state.active]: attached}}, window.now)).toContain(
    'No output for 30 s.',
  );
});
