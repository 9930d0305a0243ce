import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {
  windowWithRequest,
  press,
  type TestWindow,
  workingWindow,
} from '../../../../support/window/app-window.ts';

describe('the focus', () => {
  test('goes to a request when nothing is typed and no key came for half a second', () => {
    const window = windowWithRequest();
    expect(window.state.focus).toEqual({kind: 'request', id: '1'});
  });

  test('does not go to a request before it is on the screen', () => {
    const window = workingWindow();
    window.wait(1000);
    window.ask('1');
    window.wait(1000);
    expect(window.state.focus.kind).toBe('prompt');
  });

  test('stays with the draft, and Tab gives it to the request', () => {
    const window = workingWindow();
    window.type('also');
    window.ask('1');
    window.draw();
    window.wait(60_000);
    expect(window.state.focus.kind).toBe('prompt');
    expect(hintLine(window.state)).toContain('Tab');
    // A click on a request that is gone.
    window.dispatch({type: 'focus_changed', focus: {kind: 'request', id: '0'}, at: window.now});
    expect(window.state.focus.kind).toBe('prompt');
    window.press('tab');
    expect(window.takesKeys).toBe(true);
    window.press('y');
    expect(window.answers).toEqual([0]);
    expect(window.draft).toBe('also');
  });

  test('goes with Tab to a request that is not drawn yet: keys count only once it is', () => {
    const window = workingWindow();
    window.ask('1');
    window.press('tab', 'y');
    expect(window.answers).toEqual([]);
    window.draw();
    window.wait(1);
    window.press('1');
    expect(window.answers).toEqual([0]);
  });

  test('goes later to a request drawn right after a key, once half a second passed', () => {
    const window = workingWindow();
    window.ask('1');
    window.draw();
    expect(window.state.focus.kind).toBe('prompt');
    window.wait(499);
    expect(window.state.focus.kind).toBe('prompt');
    window.wait(1);
    expect(window.state.focus.kind).toBe('request');
  });

  test('returns to the prompt with Esc, and the request does not take it again', () => {
    const window = windowWithRequest();
    window.press('escape');
    window.wait(60_000);
    expect(window.state.focus.kind).toBe('prompt');
    expect(window.state.request?.id).toBe('1');
    expect(window.called('cancel')).toEqual([]);
  });

  test('returns with Esc, and a second Esc cancels the turn and its requests', () => {
    const window = windowWithRequest();
    window.press('escape', 'escape');
    expect(window.called('cancel')).toHaveLength(1);
    expect(window.open.session.pending).toEqual([]);
    expect(window.state.request).toBeUndefined();
  });

  test('does not matter for Ctrl+C, which cancels the turn at once, even with a draft', () => {
    const window = workingWindow();
    window.type('half');
    window.ask('1');
    window.draw();
    window.press('tab', 'ctrl+c');
    expect(window.called('cancel')).toHaveLength(1);
    expect(window.draft).toBe('half');
  });

  test('returns to the prompt with a letter that answers nothing', () => {
    const window = windowWithRequest();
    window.wait(1000);
    window.type('how');
    expect(window.draft).toBe('how');
    expect(window.state.focus.kind).toBe('prompt');
    expect(window.answers).toEqual([]);
  });

  test('does not let a paste answer: the prompt gets it', () => {
    const window = windowWithRequest();
    window.wait(1000);
    window.paste('y\n');
    expect(window.draft).toBe('y\n');
    expect(window.answers).toEqual([]);
  });
});

describe('early keys', () => {
  test('pressed before the request was drawn do not answer it', () => {
    const window = workingWindow();
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

  test('typed as the request took the focus go to the prompt', () => {
    const window = windowWithRequest();
    window.press('y');
    expect(window.answers).toEqual([]);
    expect(window.draft).toBe('y');
    expect(window.state.focus.kind).toBe('prompt');
  });

  test('do nothing for an Enter typed as the request took the focus', () => {
    const window = windowWithRequest();
    window.press('enter');
    expect(window.answers).toEqual([]);
    window.wait(1000);
    window.press('enter');
    expect(window.answers).toEqual([0]);
  });

  test('held down answer one request and not the next', () => {
    const window = workingWindow();
    window.wait(1000);
    window.ask('1');
    window.ask('2');
    window.draw();
    window.wait(1000);
    window.press('y');
    window.draw();
    window.wait(500);
    // The repeats of a held key: the first after half a second, then thirty per second.
    for (let repeats = 0; repeats < 60; repeats++) {
      window.wait(33);
      window.key(press('y', window.now));
    }
    expect(window.answers).toEqual([0]);
    window.wait(1000);
    window.press('y');
    expect(window.called('answer').map(([id]) => id)).toEqual(['1', '2']);
  });

  test('do not count for the next request before it was drawn itself', () => {
    const window = windowWithRequest();
    const drawn = {firstRow: 0, visibleRows: 10, totalRows: 10};
    const drawnLate = () =>
      window.dispatch({type: 'request_drawn', id: '1', version: 0, drawn, columns: 80, at: window.now});
    window.ask('2');
    window.wait(1000);
    window.press('1');
    expect(window.state.request?.id).toBe('2');
    drawnLate();
    window.wait(1000);
    window.press('n');
    expect(window.answers).toEqual([0]);
    window.draw();
    window.wait(1000);
    window.press('n');
    expect(window.answers).toEqual([0, 1]);
    drawnLate();
    expect(window.state.request).toBeUndefined();
  });

  test('such as Enter that closed a text viewer over the request do not answer it', () => {
    const window = windowWithRequest();
    window.wait(1000);
    window.press('ctrl+t', 'enter');
    window.press('enter');
    expect(window.answers).toEqual([]);
  });

  test('do not allow a request that changed after it was read until it is drawn again', () => {
    const window = windowWithRequest();
    window.wait(1000);
    const drawnBefore = window.state.request?.version;
    window.update({sessionUpdate: 'tool_call_update', toolCallId: 'call-1', title: 'Something else'});
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

describe('what the answers say about keys', () => {
  /** Waits, presses a key, or does what the agent and the view do. */
  const step = fc.oneof(
    fc.integer({min: 1, max: 900}),
    fc.constantFrom('1', 'enter', 'tab', 'escape', 'down', 'ctrl+t', 'DRAW', 'ASK', 'CHANGE'),
  );

  function take(window: TestWindow, step: number | string): void {
    if (typeof step === 'number') return window.wait(step);
    if (step === 'DRAW') return window.state.request && window.draw();
    if (step === 'ASK') return window.ask(String(window.now));
    if (step !== 'CHANGE') return window.press(step);
    const toolCallId = window.open.session.pending.map(({id}) => `call-${id}`)[0] ?? '';
    window.update({sessionUpdate: 'tool_call_update', toolCallId, title: `At ${window.now}`});
  }

  test('is true: wherever keys are named, the next number answers', () => {
    fc.assert(
      fc.property(fc.array(step, {maxLength: 40}), (steps) => {
        const window = workingWindow();
        for (const step of steps) {
          take(window, step);
          const {focus, overlay} = window.state;
          const namesKeys = focus.kind === 'request' && overlay.kind === 'none' && window.takesKeys;
          if (!namesKeys) continue;
          const before = window.answers.length;
          window.press('1');
          expect(window.answers).toHaveLength(before + 1);
        }
      }),
    );
  });

  test('is that keys count a moment later, after the request appeared and after a key that came too soon', () => {
    const window = workingWindow();
    window.ask('1');
    window.ask('2');
    window.draw();
    window.press('tab', '1');
    window.draw();
    expect(window.takesKeys).toBe(false);
    window.press('1');
    expect(hintLine(window.state)).toContain('Key pressed too soon');
    expect(window.takesKeys).toBe(false);
    window.wait(1000);
    expect(window.takesKeys).toBe(true);
    window.press('1');
    expect(window.answers).toEqual([0, 0]);
  });
});
