import {describe, expect, test} from 'vitest';
import {createTab} from '../../../../../src/app/initial.ts';
import {notifications, needsTicks, terminalTitle} from '../../../../../src/app/status/notifications.ts';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {statusLine} from '../../../../../src/app/status/status-line.ts';
import {activityOf, stallText} from '../../../../../src/app/status/progress.ts';
import {activityText} from '../../../../support/window/activity-text.ts';
import {initialSession} from '../../../../../src/session/initial.ts';
import {appendEntry} from '../../../../../src/session/transcript/transcript.ts';
import {duration} from '../../../../../src/text/format.ts';
import type {ConnectionState} from '../../../../../src/session/state.ts';
import {askToOpen, askWithForm} from '../asking.ts';
import {lost, openWindow, type TestWindow, workingWindow} from '../../../../support/window/app-window.ts';

function runs(window: TestWindow, toolCallId: string, title: string) {
  window.update({sessionUpdate: 'tool_call', toolCallId, title, kind: 'execute', status: 'in_progress'});
}

describe('the activity line', () => {
  test('shows the steps of a start, with their time', () => {
    const window = openWindow({ready: false});
    window.connect({kind: 'starting', step: 'opening_session', since: window.now});
    expect(activityText(window.open, window.now)).toBe('Opening a session with demo…');
    expect(activityText(window.open, window.now + 3400)).toBe('Opening a session with demo… 3 s');
    window.connect({kind: 'starting', step: 'reconnecting', since: window.now, attempt: 3});
    expect(activityText(window.open, window.now)).toBe('Reconnecting to demo (attempt 3)…');
  });

  test('says that a prompt waits for its snapshot, and Esc sends it without', () => {
    const window = workingWindow();
    window.agent({type: 'snapshot_awaited', isAwaited: true});
    expect(activityText(window.open, window.now)).toBe('Taking a snapshot before the prompt is sent…');
    expect(statusLine(window.state, window.now).escape).toEqual(['Esc', 'send without it']);
    window.press('escape');
    expect(window.called('sendWithoutSnapshot')).toHaveLength(1);
    expect(window.called('cancel')).toEqual([]);
    window.agent({type: 'snapshot_awaited', isAwaited: false});
    expect(activityText(window.open, window.now)).toBe('Working…');
    expect(statusLine(window.state, window.now).escape).toEqual(['Esc', 'cancel']);
  });

  test('shows thinking, answering, running a tool, waiting for the user, cancelling, and nothing', () => {
    const window = openWindow();
    const said: (string | undefined)[] = [];
    const note = () => said.push(activityText(window.open, window.now));
    note();
    window.say('go');
    note();
    window.update({sessionUpdate: 'agent_thought_chunk', content: {type: 'text', text: 'hm'}});
    note();
    window.update({sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'I'}});
    note();
    runs(window, 'a', 'npm test');
    note();
    window.ask('1');
    note();
    window.press('escape');
    note();
    window.endTurn('cancelled');
    note();
    expect(said).toEqual([
      undefined,
      'Working…',
      'Thinking…',
      'Answering…',
      'Running npm test…',
      'Needs you',
      'Cancelling…',
      undefined,
    ]);
  });
});

describe('the time of a tool call', () => {
  test('is its own, not that of the turn', () => {
    const window = workingWindow();
    window.wait(10_000);
    expect(activityText(window.open, window.now)).toBe('Working… 10 s');
    runs(window, 'a', 'npm test');
    expect(activityText(window.open, window.now)).toBe('Running npm test…');
    window.wait(3000);
    window.update({sessionUpdate: 'tool_call_update', toolCallId: 'a', title: 'npm test all'});
    expect(activityText(window.open, window.now)).toBe('Running npm test all… 3 s');
    window.update({sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed'});
    expect(activityText(window.open, window.now)).toBe('Working… 13 s');
    window.update({sessionUpdate: 'tool_call', toolCallId: 'b', title: 'Write a.ts', kind: 'edit'});
    expect(activityText(window.open, window.now)).toBe('Write a.ts…');
  });

  test('starts with the answer if it waited for one', () => {
    const window = workingWindow();
    runs(window, 'call-1', 'npm test');
    window.ask('1');
    window.wait(60_000);
    window.draw();
    window.wait(1000);
    window.press('y');
    expect(activityText(window.open, window.now)).toBe('Running Task 1…');
  });
});

describe('a turn that hangs', () => {
  test('reports nothing before half a minute of silence', () => {
    const window = workingWindow();
    window.wait(29_999);
    expect(stallText(window.state, window.now)).toBeUndefined();
    window.update({sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'I'}});
    window.wait(29_999);
    expect(stallText(window.state, window.now)).toBeUndefined();
  });

  test('reports what it waits for, a tool call or unknown, and nothing while it waits for the user', () => {
    const window = workingWindow();
    window.wait(30_000);
    expect(stallText(window.state, window.now)).toContain('does not report what it is waiting for');
    runs(window, 'a', 'npm test');
    window.wait(30_000);
    expect(stallText(window.state, window.now)).toBe(
      'No output for 30 s. Running: npm test. Wait, or press Esc to cancel.',
    );
    window.press('ctrl+x', 'p');
    expect(stallText(window.state, window.now)).toBe('No output for 30 s. Running: npm test.');
    window.press('escape');
    window.ask('1');
    window.wait(30_000);
    expect(stallText(window.state, window.now)).toBeUndefined();
  });

  test('names a tool call in one line, whatever its title', () => {
    const window = workingWindow();
    runs(window, 'a', 'ls\nQuestion: Allow rm?');
    expect(activityOf(window.open, window.now)?.doing).toBe('Running ls␊Question: Allow rm?…');
    window.wait(30_000);
    expect(stallText(window.state, window.now)).toContain('Running: ls␊Question: Allow rm?.');
  });

  test('offers a restart when a cancellation is not answered for five seconds', () => {
    const window = workingWindow();
    window.press('escape');
    window.wait(4999);
    expect(stallText(window.state, window.now)).toBeUndefined();
    window.wait(1);
    expect(stallText(window.state, window.now)).toBe(
      'The agent has not responded to the cancel. Wait, or press Esc for options.',
    );
    window.press('escape');
    expect(stallText(window.state, window.now)).toBe('The agent has not responded to the cancel.');
  });
});

describe('the status line', () => {
  test('shows agent, mode, context, cost, folder and branch', () => {
    const window = openWindow();
    window.agent({
      type: 'agent_initialized',
      fallbackName: 'demo',
      response: {protocolVersion: 1, agentInfo: {name: 'agent', title: 'The Agent', version: '1'}},
    });
    window.update({
      sessionUpdate: 'usage_update',
      used: 50_000,
      size: 200_000,
      cost: {amount: 0.25, currency: 'USD'},
    });
    window.dispatch({type: 'branch_changed', key: 'main', branch: 'main'});
    expect(statusLine(window.state, window.now)).toEqual({
      agent: 'The Agent',
      mode: undefined,
      model: undefined,
      approval: undefined,
      isSandboxed: false,
      context: {share: 0.25, text: '25% of 200k'},
      cost: '$0.25',
      folder: 'project',
      branch: 'main',
      time: duration(window.now),
      escape: undefined,
    });
  });

  test('shows the used tokens for a context of unknown size', () => {
    const window = openWindow();
    window.update({sessionUpdate: 'usage_update', used: 5000, size: 0});
    expect(statusLine(window.state, window.now).context).toEqual({share: 0, text: '5k'});
  });

  test('says what Esc does now', () => {
    const window = openWindow();
    const escape = () => statusLine(window.state, window.now).escape;
    window.say('go');
    expect(escape()).toEqual(['Esc', 'cancel']);
    window.type('/mo');
    expect(escape()).toEqual(['Esc', 'close menu']);
    window.press('ctrl+c');
    window.ask('1');
    window.draw();
    window.wait(1000);
    expect(escape()).toEqual(['Esc', 'back to prompt']);
    window.wait(1000);
    window.press('r');
    expect(escape()).toEqual(['Esc', 'back to request']);
  });

  test('shows a level that asks less', () => {
    const window = openWindow();
    window.say('/permissions all');
    expect(statusLine(window.state, window.now).approval).toBe('all');
  });
});

describe('attention', () => {
  test('is requested by a permission request, once', () => {
    const window = workingWindow();
    const before = window.state;
    window.ask('1');
    expect(notifications(before, window.state)[0]?.text).toBe('demo asks for permission');
    const asked = window.state;
    window.draw();
    expect(notifications(asked, window.state)).toEqual([]);
    const update = {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'call-1',
      title: 'Something else',
    } as const;
    window.update(update);
    expect(window.state.sessions).not.toBe(asked.sessions);
    expect(notifications(asked, window.state)).toEqual([]);
  });

  test('names the session if several are open', () => {
    const window = openWindow();
    window.say('fix the bug');
    const other = {...window.open, key: 'other'};
    const before = {...window.state, sessions: {...window.state.sessions, other}};
    window.ask('1');
    const now = {...window.state, sessions: {...window.state.sessions, other}};
    expect(notifications(before, now)[0]?.text).toBe('demo asks for permission: fix the bug');
  });

  test('is requested for each of the sessions that ask or end at the same moment', () => {
    const window = openWindow();
    const twice = ({state, open}: TestWindow) => {
      const other = {...open, key: 'other'};
      return {...state, sessions: {...state.sessions, other}};
    };
    const before = twice(window);
    window.ask('1');
    const found = notifications(before, twice(window));
    expect(found.map(({key}) => key)).toEqual(['main', 'other']);
  });

  test('is requested once if several sessions have lost the same agent', () => {
    const window = openWindow();
    const agentLost = {kind: 'lost', failure: {kind: 'interrupted'}} as const;
    const reported = (connection: ConnectionState) => {
      const {key, session} = window.open;
      const open = {...window.open, session: {...session, connection}};
      return {...window.state, sessions: {...window.state.sessions, [key]: open}};
    };
    expect(notifications(window.state, reported(agentLost))[0]?.text).toBe('demo has ended');
    expect(notifications(window.state, reported({...agentLost, reportedElsewhere: true}))).toEqual([]);
  });

  test('is requested by a form and by a URL, and no longer once that is opened', () => {
    const window = workingWindow();
    const before = window.state;
    askWithForm(window);
    expect(notifications(before, window.state)[0]?.text).toBe('demo has a question');
    const asked = window.state;
    askToOpen(window);
    expect(notifications(asked, window.state)[0]?.text).toBe('demo wants to open a URL');
    expect(activityText(window.open, window.now)).toBe('Needs you');
    window.agent({type: 'elicitation_resolved', id: 'f', outcome: 'declined', answers: []});
    const answered = window.state;
    window.agent({type: 'elicitation_resolved', id: 'u', outcome: 'accepted', answers: []});
    expect(notifications(answered, window.state)).toEqual([]);
    expect(activityText(window.open, window.now)).toBe('Working…');
    expect(hintLine(window.state)).toContain('you to finish in the browser');
  });

  test('is requested by a request of acp-tui, not in the agent’s name', () => {
    const window = openWindow();
    const before = window.state;
    const request = {sessionId: '', options: [], toolCall: {toolCallId: 'ours', title: 'Use the settings?'}};
    window.agent({type: 'permission_requested', id: '1', request, asker: 'acp-tui'});
    expect(notifications(before, window.state)[0]?.text).toBe('acp-tui has a question');
    expect(terminalTitle(window.state)).toMatch(/^Needs you/);
  });

  test('is requested by a subagent that needs the user, and by its requests, in its name', () => {
    const window = workingWindow();
    const subagent = (state: string) =>
      window.update({
        sessionUpdate: 'subagent_update',
        sessionId: 'child',
        title: 'Reviewer',
        state: {state},
      });
    subagent('running');
    const working = window.state;
    subagent('requires_action');
    expect(notifications(working, window.state)[0]?.text).toMatch(/^Reviewer, a subagent of .+ needs you$/);
    const waiting = window.state;
    subagent('requires_action');
    expect(notifications(waiting, window.state)).toEqual([]);
    const request = {sessionId: 'child', options: [], toolCall: {toolCallId: 'c', title: 'Edit it'}};
    window.agent({type: 'permission_requested', id: '1', request});
    expect(notifications(waiting, window.state)[0]?.text).toMatch(
      /^Reviewer, a subagent of .+ asks for permission$/,
    );
  });

  test('says after the turn which subagents still work', () => {
    const window = workingWindow();
    const begin = (sessionId: string, title: string) =>
      window.update({sessionUpdate: 'subagent_update', sessionId, title, state: {state: 'running'}});
    begin('one', 'Reviewer');
    window.endTurn();
    expect(activityText(window.open, window.now)).toBe('Reviewer is working in the background…');
    begin('two', 'Tester');
    expect(activityText(window.open, window.now)).toBe('2 subagents are working in the background…');
  });

  test('is requested by the end of a turn of ten seconds, not by that of a shorter one', () => {
    const window = openWindow();
    for (const [ms, said] of [
      [9_000, undefined],
      [10_000, 'demo is done'],
    ] as const) {
      window.say('go');
      window.wait(ms);
      const before = window.state;
      window.endTurn();
      expect(notifications(before, window.state)[0]?.text).toBe(said);
    }
  });

  test('is requested when the agent is gone', () => {
    const window = openWindow();
    const before = window.state;
    window.connect({kind: 'lost', failure: lost});
    expect(notifications(before, window.state)[0]?.text).toBe('demo has ended');
  });
});

test('the title of the terminal shows the activity and the folder', () => {
  const window = openWindow();
  expect(terminalTitle(window.state)).toBe('demo · project');
  window.say('go');
  expect(terminalTitle(window.state)).toBe('Working · go · project');
  window.ask('1');
  expect(terminalTitle(window.state)).toBe('Needs you · go · project');
});

test('the time of the status line is that of the session, not of its connection', () => {
  const window = openWindow();
  const time = () => statusLine(window.state, window.now).time;
  window.connect({kind: 'starting', step: 'launching', since: window.now});
  window.connect({kind: 'ready'});
  expect(time()).toBe(duration(window.now));
  const now = 1_000_000_000_000;
  const at = now - 3 * 24 * 3600 * 1000;
  const empty = initialSession({cwd: '/', additionalDirectories: [], at});
  const session = appendEntry(empty, {type: 'notice', level: 'info', text: '', source: 'client'}, at);
  const attached = {key: 'other', agentLabel: 'some', session, approval: undefined};
  const tab = createTab({...attached, at: window.now, now});
  window.dispatch({type: 'session_added', key: 'other', tab});
  window.dispatch({type: 'session_activated', key: 'other'});
  expect(time()).toBe('72 h');
});

test('a timer runs only while something depends on it', () => {
  const window = openWindow();
  expect(needsTicks(window.state)).toBe(false);
  window.press('ctrl+c');
  expect(needsTicks(window.state)).toBe(true);
  window.wait(10_000);
  expect(needsTicks(window.state)).toBe(false);
  window.say('go');
  expect(needsTicks(window.state)).toBe(true);
});

test('no timer runs while only the user can act, except while a request waits for quiet', () => {
  const window = workingWindow();
  window.type('a');
  window.press('backspace');
  window.ask('1');
  window.draw();
  expect(window.state.focus.kind).toBe('prompt');
  expect(needsTicks(window.state)).toBe(true);
  window.wait(10_000);
  expect(window.state.focus.kind).toBe('request');
  // Until its answers say which keys count.
  expect(needsTicks(window.state)).toBe(true);
  window.wait(1000);
  expect(needsTicks(window.state)).toBe(false);
  expect(activityText(window.open, window.now)).toBe('Needs you');
});
