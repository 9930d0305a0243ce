import {describe, expect, test} from 'vitest';
import {cancelledStep} from '../../../../support/session/build.ts';
import {lost, openWindow, workingWindow} from '../../../../support/window/app-window.ts';
import {page} from '../../../../../src/app/pages/pages.ts';

describe('Ctrl+C', () => {
  test('clears the draft first, and keeps it in the history', () => {
    const window = workingWindow();
    window.type('half');
    window.press('ctrl+c');
    expect(window.draft).toBe('');
    expect(window.state.history.project).toEqual(['go', 'half']);
    expect(window.called('cancel')).toEqual([]);
    expect(window.performed('quit')).toEqual([]);
  });

  test('cancels the turn when nothing is typed, and quits when pressed again', () => {
    const window = workingWindow();
    window.press('ctrl+c');
    expect(window.called('cancel')).toHaveLength(1);
    expect(window.performed('quit')).toEqual([]);
    window.press('ctrl+c');
    expect(window.performed('quit')).toHaveLength(1);
  });

  test('does not quit when pressed again after two seconds', () => {
    const window = openWindow();
    window.press('ctrl+c');
    expect(window.state.toast?.text).toBe('Press Ctrl+C again to quit.');
    window.wait(2000);
    expect(window.state.toast).toBeUndefined();
    window.press('ctrl+c');
    expect(window.performed('quit')).toEqual([]);
    window.press('ctrl+c');
    expect(window.performed('quit')).toHaveLength(1);
  });

  test('never quits with a draft: it clears what was typed in between', () => {
    const window = openWindow();
    window.press('ctrl+c', 'x', 'ctrl+c');
    expect(window.performed('quit')).toEqual([]);
    expect(window.draft).toBe('');
  });

  test('clears the draft undoably', () => {
    const window = openWindow();
    window.type('half');
    window.press('ctrl+c', 'ctrl+_');
    expect(window.draft).toBe('half');
  });

  test('quits when pressed twice after a crash, although a list opened by itself', () => {
    const window = openWindow();
    window.wait(1000);
    window.connect({kind: 'lost', failure: lost});
    expect(window.state.overlay.kind).toBe('picker');
    window.press('ctrl+c', 'ctrl+c');
    expect(window.performed('quit')).toHaveLength(1);
  });

  test('only closes a list that the user opened', () => {
    const window = openWindow();
    window.say('/resume');
    window.press('ctrl+c');
    expect(window.state.overlay.kind).toBe('none');
    expect(window.state.leaveArmedUntil).toBeUndefined();
  });
});

describe('Ctrl+D', () => {
  test('quits when nothing is typed', () => {
    const window = openWindow();
    window.press('ctrl+d');
    expect(window.performed('quit')).toHaveLength(1);
  });

  test('deletes forward in a draft', () => {
    const window = openWindow();
    window.type('ab');
    window.press('ctrl+a', 'ctrl+d');
    expect(window.draft).toBe('b');
    expect(window.performed('quit')).toEqual([]);
  });
});

describe('Esc', () => {
  test('does nothing if nothing runs and nothing is open', () => {
    const window = openWindow();
    const before = window.state;
    window.press('escape');
    expect({...window.state, lastKey: undefined}).toEqual(before);
    expect(window.effects).toEqual([]);
  });

  test('cancels the turn and keeps the draft', () => {
    const window = workingWindow();
    window.type('half');
    window.press('escape');
    expect(window.called('cancel')).toHaveLength(1);
    expect(window.draft).toBe('half');
  });

  test('closes one thing per press: the menu, then the turn', () => {
    const window = workingWindow();
    window.type('/mo');
    window.press('escape');
    expect(window.called('cancel')).toEqual([]);
    window.press('escape');
    expect(window.called('cancel')).toHaveLength(1);
  });

  test('offers a restart when a cancellation is not answered for five seconds', () => {
    const window = workingWindow();
    window.press('escape');
    window.press('escape');
    expect(window.state.overlay.kind).toBe('none');
    expect(window.state.toast?.text).toContain('not responded');
    window.wait(5000);
    window.press('escape');
    expect(window.state.overlay).toMatchObject({picker: {purpose: {kind: 'recovery'}}});
    window.press('down', 'enter');
    expect(window.called('restart')).toHaveLength(1);
  });

  test('withdraws the offer when the agent answers after all', () => {
    const window = workingWindow();
    window.press('escape');
    window.wait(5000);
    window.press('escape');
    window.endTurn('cancelled');
    expect(window.state.overlay.kind).toBe('none');
  });
});

describe('other keys', () => {
  test('Ctrl+L and Ctrl+Z are passed to the terminal', () => {
    const window = openWindow();
    window.press('ctrl+l', 'ctrl+z');
    expect(window.effects).toEqual([{kind: 'redraw'}, {kind: 'suspend'}]);
  });

  test('Shift+Tab cycles through the modes', () => {
    const window = openWindow();
    const availableModes = ['ask', 'code'].map((id) => ({id, name: id.toUpperCase()}));
    window.agent({
      type: 'session_opened',
      how: 'new',
      session: {
        sessionId: 's2',
        cwd: '/project',
        additionalDirectories: [],
        modes: {availableModes, currentModeId: 'ask'},
      },
    });
    window.press('shift+tab');
    window.agent({type: 'mode_set', modeId: 'code'});
    expect(window.state.toast?.text).toBe('Mode: CODE.');
    window.press('shift+tab');
    expect(window.called('setMode')).toEqual([['code'], ['ask']]);
  });

  test('Shift+Tab says so if there are no modes', () => {
    const window = openWindow();
    window.press('shift+tab');
    expect(window.state.toast?.text).toBe('This agent has no modes.');
  });

  test('Ctrl+T shows the current plan, follows it, and closes it again', () => {
    const window = workingWindow();
    window.press('ctrl+t');
    expect(window.state.overlay).toMatchObject({text: 'No plan yet.'});
    const read = {content: 'Read', priority: 'low' as const, status: 'in_progress' as const};
    window.update({sessionUpdate: 'plan', entries: [read, cancelledStep('Drop')]});
    expect(window.state.overlay).toMatchObject({text: '[>] Read\n[-] Drop'});
    window.press('ctrl+t');
    expect(window.state.overlay.kind).toBe('none');
  });

  test('? on an empty draft shows the first keys, then the help, and is a letter otherwise', () => {
    const window = openWindow();
    window.press('?');
    expect(window.state.overlay).toEqual({kind: 'first_keys'});
    window.press('escape');
    expect(window.state.overlay).toEqual({kind: 'none'});
    window.press('?');
    window.press('?');
    expect(window.state.overlay).toMatchObject({kind: 'picker', picker: {title: 'Help'}});
    window.press('escape');
    window.type('a?');
    expect(window.draft).toBe('a?');
    expect(window.state.overlay.kind).toBe('none');
  });

  test('a text stops scrolling at its end', () => {
    const window = openWindow();
    window.dispatch({type: 'overlay_opened', overlay: page('Status', 'text')});
    window.dispatch({type: 'overlay_drawn', drawn: {firstRow: 0, visibleRows: 10, totalRows: 25}});
    window.press('pagedown', 'pagedown', 'pagedown');
    expect(window.state.overlay).toMatchObject({scroll: {firstRow: 15}});
    window.press('up', 'home');
    expect(window.state.overlay).toMatchObject({scroll: {firstRow: 0}});
  });

  test('a paste over a text viewer goes to the prompt', () => {
    const window = openWindow();
    window.dispatch({type: 'overlay_opened', overlay: page('Status', 'text')});
    window.paste('pasted');
    expect(window.draft).toBe('pasted');
    expect(window.state.overlay.kind).toBe('none');
  });
});
