import {describe, expect, test} from 'vitest';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {openWindow, press, type TestWindow, workingWindow} from '../../../../support/window/app-window.ts';

function start(window: TestWindow, terminalId: string, {pty = true} = {}): void {
  window.agent({type: 'terminal_created', terminalId, command: `run ${terminalId}`, cwd: '/project', pty});
}

/** A window in which a command runs and has the focus. */
function givenWindow(): TestWindow {
  const window = workingWindow();
  start(window, 't1');
  window.press('ctrl+x', 'i');
  return window;
}

const typed = (window: TestWindow) => window.called('typeInto').map(([, text]) => text);

describe('Ctrl+X', () => {
  test('opens a list that any other key closes without further effect', () => {
    const window = openWindow();
    window.press('ctrl+x');
    expect(window.state.overlay).toEqual({kind: 'more_keys'});
    window.press('z');
    expect(window.state.overlay).toEqual({kind: 'none'});
    expect(window.draft).toBe('');
    window.press('ctrl+x', 'escape');
    expect(window.state.overlay).toEqual({kind: 'none'});
  });

  test('loses no paste: it goes where it would without the list', () => {
    const window = givenWindow();
    window.press('ctrl+x');
    window.paste('a');
    expect(typed(window)).toEqual(['a']);
    window.press('ctrl+x', 'i', 'ctrl+x');
    window.paste('b');
    expect([window.draft, window.state.overlay.kind]).toEqual(['b', 'none']);
  });

  test('i focuses the command and returns the focus', () => {
    const window = givenWindow();
    expect(window.state.focus).toEqual({kind: 'command', id: 't1'});
    expect(hintLine(window.state)).toMatch(/^Typing into the command · Ctrl\+X i back to prompt.*run t1$/);
    window.type('y');
    window.press('enter', 'escape', 'ctrl+c', 'ctrl+z', 'ctrl+l', 'tab', 'up');
    window.paste('a\rb');
    expect(typed(window).join('')).toBe('y\r\x1b\x03\x1a\x0c\t\x1b[Aa\rb');
    expect(window.effects.map(({kind}) => kind)).not.toContain('cancel');
    expect(window.draft).toBe('');
    window.press('ctrl+x', 'i');
    window.type('hi');
    expect([window.draft, window.state.focus.kind]).toEqual(['hi', 'prompt']);
  });

  test('pressed twice sends one to the command that has the focus', () => {
    const window = givenWindow();
    window.press('ctrl+x', 'ctrl+x');
    expect(typed(window)).toEqual(['\x18']);
    expect(window.state.focus.kind).toBe('command');
  });

  test('k stops the command that has the focus, or the running one', () => {
    const window = givenWindow();
    start(window, 't2');
    window.press('ctrl+x', 'k');
    expect(window.called('stopCommand')).toEqual([['t1']]);
  });

  test('asks which of several commands is meant, those waiting for input first, then the newest', () => {
    const window = openWindow();
    for (const id of ['t1', 't2', 't3']) start(window, id);
    window.agent({type: 'terminal_waits', terminalId: 't1'});
    window.press('ctrl+x', 'k');
    expect(window.state.overlay).toMatchObject({
      picker: {
        title: 'Stop a command',
        items: [{id: 't1', description: 'may be waiting for input'}, {id: 't3'}, {id: 't2'}],
      },
    });
    window.press('down', 'enter');
    window.press('ctrl+x', 'i', 'enter');
    expect(window.called('stopCommand')).toEqual([['t3']]);
    expect(window.state.focus).toEqual({kind: 'command', id: 't1'});
  });

  test('does nothing to a command that ended meanwhile', () => {
    const window = openWindow();
    for (const id of ['t1', 't2']) start(window, id);
    window.press('ctrl+x', 'i');
    window.agent({type: 'terminal_exited', terminalId: 't2', exit: {code: 0, signal: null}});
    window.press('enter');
    expect(hintLine(window.state)).toBe('This command has exited.');
    expect(window.state.focus.kind).toBe('prompt');
    window.agent({type: 'terminal_released', terminalId: 't1'});
    window.press('ctrl+x', 'k');
    expect(window.called('stopCommand')).toEqual([]);
  });

  test('says so if no command runs, or it has no input', () => {
    const window = openWindow();
    window.press('ctrl+x', 'i');
    expect(hintLine(window.state)).toBe('No running command accepts input.');
    window.press('ctrl+x', 'k');
    expect(hintLine(window.state)).toBe('No command is running.');
    start(window, 't', {pty: false});
    window.press('ctrl+x', 'i');
    expect(hintLine(window.state)).toMatch(/cannot be typed into/);
    expect(window.state.focus.kind).toBe('prompt');
  });
});

describe('a command that has the focus', () => {
  test('keeps it when a permission request arrives', () => {
    const window = givenWindow();
    window.ask('1');
    window.draw();
    window.wait(5000);
    window.press('y');
    expect([typed(window), window.answers]).toEqual([['y'], []]);
    window.agent({
      type: 'permission_resolved',
      id: '1',
      toolCallId: 'call-1',
      decision: {outcome: 'withdrawn', option: undefined, by: 'agent'},
    });
    expect(window.state.focus.kind).toBe('command');
  });

  test('loses it when it ends, and keys typed without a pause go nowhere', () => {
    const window = givenWindow();
    window.type('secr');
    window.agent({type: 'terminal_exited', terminalId: 't1', exit: {code: 1, signal: null}});
    expect(hintLine(window.state)).toMatch(/^The command exited\. Keys are ignored until you pause/);
    window.type('et');
    window.press('enter');
    window.key(press('x', window.now + 600));
    expect([window.draft, window.sent, typed(window).join('')]).toEqual(['', ['go'], 'secr']);
    window.wait(1299);
    expect(hintLine(window.state)).toMatch(/^The command exited\. Keys are ignored until you pause/);
    window.wait(1);
    expect(hintLine(window.state)).toBe('The command has exited; keys go to the prompt again.');
    window.type('hello');
    expect(window.draft).toBe('hello');
  });

  test('takes it from a request, whose keys then count as if it had never had it', () => {
    const window = workingWindow();
    start(window, 't1');
    window.ask('1');
    window.draw();
    window.press('tab');
    window.wait(1000);
    window.press('ctrl+x', 'i');
    expect(window.state.focus.kind).toBe('command');
    window.press('ctrl+x', 'i');
    window.wait(1000);
    expect(window.state.focus.kind).toBe('request');
    window.press('n');
    expect([window.answers, window.draft]).toEqual([[], 'n']);
  });

  test('loses it with its session', () => {
    const window = givenWindow();
    window.agent({
      type: 'session_opened',
      how: 'new',
      session: {sessionId: 's2', cwd: '/project', additionalDirectories: []},
    });
    window.agent({type: 'terminal_released', terminalId: 't1'});
    expect(window.state.focus.kind).toBe('prompt');
  });
});

describe('Ctrl+O', () => {
  test('opens the transcript in its own screen and closes it, as Esc, q and Ctrl+C do', () => {
    const window = openWindow();
    for (const close of ['ctrl+o', 'escape', 'q', 'ctrl+c']) {
      window.press('ctrl+o');
      expect(window.state.overlay.kind).toBe('transcript');
      window.press(close);
      expect(window.state.overlay.kind).toBe('none');
    }
    expect(window.draft).toBe('');
  });

  test('drops a paste while the prompt is hidden', () => {
    const window = openWindow();
    window.press('ctrl+o');
    window.paste('secret');
    expect([window.draft, window.state.overlay.kind]).toEqual(['', 'transcript']);
  });
});
