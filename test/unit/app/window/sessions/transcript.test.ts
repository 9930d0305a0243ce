import {describe, expect, test} from 'vitest';
import {openWindow, type TestWindow} from '../window.ts';
import type {Viewer} from '../../../../../src/app/pages/viewer-state.ts';

/** A window with a transcript of 100 rows open, 20 of them on the screen. */
function reading(firstRow = 80): TestWindow {
  const window = openWindow();
  window.press('ctrl+o');
  window.dispatch({type: 'overlay_drawn', drawn: {firstRow, visibleRows: 20, totalRows: 100}});
  return window;
}

function viewer({state: {overlay}}: TestWindow): Viewer {
  if (overlay.kind !== 'transcript') throw new Error(`it is ${overlay.kind}`);
  return overlay;
}

const first = (window: TestWindow) => viewer(window).scroll.firstRow;

/** The view finds it in these rows. */
function finds(window: TestWindow, ...hits: readonly number[]): void {
  window.dispatch({type: 'viewer_searched', search: viewer(window).search, hits});
}

describe('looking for a text', () => {
  test('goes to the next place below while it is typed, and round at the end', () => {
    const window = reading(50);
    window.press('/');
    window.type('qn');
    expect(viewer(window).search).toBe('qn');
    finds(window, 10, 55, 90);
    expect([viewer(window).hit, first(window)]).toEqual([55, 50]);
    window.press('backspace');
    window.type('x');
    finds(window, 10);
    expect([viewer(window).hit, first(window)]).toEqual([10, 4]);
  });

  test('n and N go on to the next and the one before, round at both ends', () => {
    const window = reading(0);
    window.press('/');
    window.type('x');
    finds(window, 10, 55, 90);
    window.press('enter');
    const rows = [viewer(window).hit];
    for (const key of ['n', 'n', 'n', 'shift+n', 'shift+n']) {
      window.press(key);
      rows.push(viewer(window).hit);
    }
    expect(rows).toEqual([10, 55, 90, 10, 90, 55]);
    window.press('home', 'n');
    expect(viewer(window).hit).toBe(10);
  });

  test('is given up with Esc, back to where it began, and the transcript stays open', () => {
    const window = reading(70);
    window.press('/');
    window.type('q');
    finds(window, 3);
    expect(first(window)).toBe(0);
    window.press('escape');
    expect([viewer(window).search, first(window)]).toEqual(['', 70]);
    window.press('escape');
    expect(window.state.overlay.kind).toBe('none');
  });

  test('takes a paste in one line, hears of no old search, and says nothing was found by staying', () => {
    const window = reading(70);
    window.press('/');
    window.paste('two\rlines');
    expect(viewer(window).search).toBe('two lines');
    window.dispatch({type: 'viewer_searched', search: 'two', hits: [1]});
    finds(window);
    expect([viewer(window).hits, first(window)]).toEqual([[], 70]);
    window.press('enter', 'n');
    expect(first(window)).toBe(70);
  });
});

describe('scrolling', () => {
  test('has keys for lines, pages and both ends, as pagers do', () => {
    const window = reading(80);
    const rows = ['g', 'pagedown', 'j', 'up', 'shift+g', 'pageup', 'home', 'end'].map((key) => {
      window.press(key);
      return first(window);
    });
    expect(rows).toEqual([0, 19, 20, 19, 80, 61, 0, 80]);
  });
});

describe('folding', () => {
  const foldable = {id: 'entry-3', above: 5};

  test('folds and opens everything with f', () => {
    const window = reading(30);
    window.press('f');
    expect(viewer(window)).toMatchObject({isFolded: true, flipped: []});
    window.press('f');
    expect(viewer(window).isFolded).toBe(false);
  });

  test('folds and opens with Tab what is uppermost on the screen, and keeps it there', () => {
    const window = reading(30);
    window.press('tab');
    expect(viewer(window).flipped).toEqual([]);
    window.dispatch({type: 'viewer_changed', change: {foldable}});
    window.press('tab');
    expect(viewer(window)).toMatchObject({flipped: ['entry-3'], anchor: {id: 'entry-3', above: 0}});
    window.press('down');
    expect(viewer(window).anchor).toBeUndefined();
    window.press('tab');
    expect(viewer(window).flipped).toEqual([]);
  });
});

describe('the transcript of a subagent', () => {
  const tell = (window: TestWindow, told: object) =>
    window.agent({
      type: 'session_update',
      update: {sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Reviewer', ...told},
    });
  const shown = ({state: {overlay}}: TestWindow) =>
    overlay.kind === 'transcript' ? (overlay.subagent ?? 'the session') : overlay.kind;

  test('is opened from the list of them, and left to the session that it works for', () => {
    const window = openWindow();
    tell(window, {});
    window.press('ctrl+x', 'a');
    expect(shown(window)).toBe('picker');
    window.press('enter');
    expect(shown(window)).toBe('child');
    window.press('left');
    expect(shown(window)).toBe('the session');
    window.press('left');
    expect(shown(window)).toBe('the session');
    window.press('ctrl+o');
    expect(shown(window)).toBe('none');
  });

  test('is gone into where its card is the uppermost on the screen', () => {
    const window = openWindow();
    tell(window, {});
    window.press('ctrl+o', 'right');
    expect(shown(window)).toBe('the session');
    const id = window.open.session.entries.find(({type}) => type === 'subagent')!.id;
    window.dispatch({type: 'viewer_changed', change: {foldable: {id, above: 0}}});
    window.press('right');
    expect(shown(window)).toBe('child');
  });

  test('cancels its work with x, only where its agent lets that be done', () => {
    const window = openWindow();
    tell(window, {state: {state: 'running'}});
    window.press('ctrl+x', 'a', 'enter', 'x');
    expect(window.performed('cancel_subagent')).toEqual([]);
    tell(window, {capabilities: {cancel: {}}});
    window.press('x');
    expect(window.performed('cancel_subagent')).toMatchObject([{sessionId: 'child'}]);
  });

  test('cannot be cancelled when it is done', () => {
    const window = openWindow();
    tell(window, {state: {state: 'idle', stopReason: 'end_turn'}, capabilities: {cancel: {}}});
    window.press('ctrl+x', 'a', 'enter', 'x');
    expect(window.performed('cancel_subagent')).toEqual([]);
    expect(window.state.toast?.text).toBe('This subagent cannot be cancelled now.');
  });

  test('has no list where there is none', () => {
    const window = openWindow();
    window.press('ctrl+x', 'a');
    expect(shown(window)).toBe('none');
    expect(window.state.toast?.text).toBe('This session has no subagents.');
  });
});
