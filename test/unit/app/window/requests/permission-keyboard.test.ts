import {describe, expect, test} from 'vitest';
import {hintLine} from '../../../../../src/app/status/toasts.ts';
import {askedWindow, openWindow, press} from '../window.ts';

describe('who has the keyboard', () => {
  test('a request takes it by itself when nothing is typed and nobody typed for half a second', () => {
    const window = askedWindow();
    expect(window.state.focus).toEqual({kind: 'request', id: '1'});
  });

  test('a request does not take it before it is on the screen', () => {
    const window = openWindow();
    window.say('go');
    window.wait(1000);
    window.ask('1');
    window.wait(1000);
    expect(window.state.focus.kind).toBe('prompt');
  });

  test('a request waits while something is typed, and Tab gives it the keyboard', () => {
    const window = openWindow();
    window.say('go');
    window.type('also');
    window.ask('1');
    window.draw();
    window.wait(60_000);
    expect(window.state.focus.kind).toBe('prompt');
    expect(hintLine(window.state)).toContain('Tab');
    window.press('tab', 'y');
    expect(window.answers).toEqual([0]);
    expect(window.draft).toBe('also');
  });

  test('Tab gives it to a request that is not drawn yet: keys count from the drawing on, and none before it', () => {
    const window = openWindow();
    window.say('go');
    window.ask('1');
    window.press('tab', 'y');
    expect(window.answers).toEqual([]);
    window.draw();
    window.wait(1);
    window.press('1');
    expect(window.answers).toEqual([0]);
  });

  test('a request drawn right after a key takes it later, once half a second went by', () => {
    const window = openWindow();
    window.say('go');
    window.ask('1');
    window.draw();
    expect(window.state.focus.kind).toBe('prompt');
    window.wait(499);
    expect(window.state.focus.kind).toBe('prompt');
    window.wait(1);
    expect(window.state.focus.kind).toBe('request');
  });

  test('Esc gives it back, and the request does not take it again', () => {
    const window = askedWindow();
    window.press('escape');
    window.wait(60_000);
    expect(window.state.focus.kind).toBe('prompt');
    expect(window.state.request?.id).toBe('1');
    expect(window.performed('cancel')).toEqual([]);
  });

  test('a second Esc cancels the turn and everything that waits in it', () => {
    const window = askedWindow();
    window.press('escape', 'escape');
    expect(window.performed('cancel')).toHaveLength(1);
    expect(window.open.session.pending).toEqual([]);
    expect(window.state.request).toBeUndefined();
  });

  test('Ctrl+C cancels the turn at once, although something is typed', () => {
    const window = openWindow();
    window.say('go');
    window.type('half');
    window.ask('1');
    window.draw();
    window.press('tab', 'ctrl+c');
    expect(window.performed('cancel')).toHaveLength(1);
    expect(window.draft).toBe('half');
  });

  test('a letter that answers nothing back to prompt with the keyboard', () => {
    const window = askedWindow();
    window.wait(1000);
    window.type('how');
    expect(window.draft).toBe('how');
    expect(window.state.focus.kind).toBe('prompt');
    expect(window.answers).toEqual([]);
  });

  test('a paste never answers: the prompt takes it', () => {
    const window = askedWindow();
    window.wait(1000);
    window.paste('y\n');
    expect(window.draft).toBe('y\n');
    expect(window.answers).toEqual([]);
  });
});

describe('keys that came too soon', () => {
  test('a key pressed before the request was drawn does not answer it', () => {
    const window = openWindow();
    window.say('go');
    window.type('x');
    window.ask('1');
    window.press('tab');
    const early = press('y', window.now + 50);
    window.wait(200);
    window.draw();
    window.key(early);
    expect(window.answers).toEqual([]);
    window.wait(1000);
    window.press('y');
    expect(window.answers).toEqual([0]);
  });

  test('a letter that was on its way when the request took the keyboard is typed instead', () => {
    const window = askedWindow();
    window.press('y');
    expect(window.answers).toEqual([]);
    expect(window.draft).toBe('y');
    expect(window.state.focus.kind).toBe('prompt');
  });

  test('an Enter that was on its way does nothing', () => {
    const window = askedWindow();
    window.press('enter');
    expect(window.answers).toEqual([]);
    window.wait(1000);
    window.press('enter');
    expect(window.answers).toEqual([0]);
  });

  test('a key that is held down answers one request and not the next', () => {
    const window = openWindow();
    window.say('go');
    window.wait(1000);
    window.ask('1');
    window.ask('2');
    window.draw();
    window.wait(1000);
    window.press('y');
    window.draw();
    window.wait(500);
    // The repeats of a held key: the first after half a second, then thirty a second.
    for (let repeats = 0; repeats < 60; repeats++) {
      window.wait(33);
      window.key(press('y', window.now));
    }
    expect(window.answers).toEqual([0]);
    window.wait(1000);
    window.press('y');
    expect(window.performed('answer').map(({id}) => id)).toEqual(['1', '2']);
  });

  test('the next request counts no key before it was drawn itself', () => {
    const window = askedWindow();
    window.ask('2');
    window.wait(1000);
    window.press('1');
    expect(window.state.request?.id).toBe('2');
    window.wait(1000);
    window.press('n');
    expect(window.answers).toEqual([0]);
    window.draw();
    window.wait(1000);
    window.press('n');
    expect(window.answers).toEqual([0, 1]);
  });

  test('Enter that closed a text over the request does not run on into it', () => {
    const window = askedWindow();
    window.wait(1000);
    window.press('ctrl+t', 'enter');
    window.press('enter');
    expect(window.answers).toEqual([]);
  });

  test('a request that changes after it was read must be drawn again before it can be allowed', () => {
    const window = askedWindow();
    window.wait(1000);
    const drawnBefore = window.state.request?.version;
    window.agent({
      type: 'session_update',
      update: {sessionUpdate: 'tool_call_update', toolCallId: 'call-1', title: 'Something else'},
    });
    window.press('y');
    expect(window.answers).toEqual([]);
    const drawn = {firstRow: 0, visibleRows: 10, totalRows: 10};
    const version = drawnBefore ?? -1;
    window.dispatch({type: 'request_drawn', id: '1', version, drawn, columns: 80, at: window.now});
    window.wait(1000);
    window.press('y');
    expect(window.answers).toEqual([]);
    window.draw();
    window.wait(1000);
    window.press('y');
    expect(window.answers).toEqual([0]);
  });
});
