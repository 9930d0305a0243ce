import {describe, expect, test} from 'vitest';
import {askedWindow, openWindow, workingWindow} from '../../../../support/window/app-window.ts';

describe('reading to the end', () => {
  function long() {
    const kinds = ['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const;
    const window = askedWindow(kinds, {visibleRows: 10, totalRows: 25});
    window.wait(1000);
    return window;
  }

  test.each(['y', 'a', '1', '2', 'enter'])(
    '%s scrolls and allows nothing before the end was shown',
    (key) => {
      const window = long();
      window.press(key);
      expect(window.answers).toEqual([]);
      expect(window.state.request?.scroll.firstRow).toBe(10);
    },
  );

  test.each([
    ['n', 2],
    ['d', 3],
    ['3', 2],
    ['4', 3],
  ])('%s rejects at any time', (key, index) => {
    const window = long();
    window.press(key);
    expect(window.answers).toEqual([index]);
  });

  test('nothing counts as shown without space for a single row', () => {
    const window = workingWindow();
    window.wait(1000);
    window.ask('1');
    window.draw({visibleRows: 0, totalRows: 0});
    window.wait(1000);
    window.press('y');
    expect(window.answers).toEqual([]);
  });
});

describe('the options', () => {
  test.each([[[]], [['allow_once', 'allow_always']]] as const)(
    'without one that rejects (%j): n and d tell the agent that the request was cancelled',
    (kinds) => {
      for (const key of ['n', 'd']) {
        const window = askedWindow([...kinds]);
        window.wait(1000);
        window.press(key);
        expect(window.answers).toEqual(['cancelled']);
      }
    },
  );

  test('start with the first that does not allow always, though the agent puts that first', () => {
    const window = askedWindow(['allow_always', 'allow_once', 'reject_once']);
    window.wait(1000);
    window.press('enter');
    expect(window.answers).toEqual([1]);
  });

  test('wrap around with the arrows, and Enter selects', () => {
    const window = askedWindow(['allow_once', 'allow_always', 'reject_once']);
    window.wait(1000);
    window.press('up', 'up', 'down', 'enter');
    expect(window.answers).toEqual([2]);
  });

  test('have no letter if several share a kind', () => {
    const window = askedWindow(['allow_once', 'allow_once', 'reject_once']);
    window.wait(1000);
    window.press('y');
    expect(window.answers).toEqual([]);
    expect(window.draft).toBe('');
    expect(window.state.toast?.text).toContain('number');
    window.press('2');
    expect(window.answers).toEqual([1]);
  });

  test('are answered once, however often the key is pressed', () => {
    const window = askedWindow();
    window.wait(1000);
    window.dispatch({type: 'request_answered'});
    window.press('y', 'n', '1');
    expect(window.answers).toEqual([]);
  });

  test.each([['escape', 'escape'], ['ctrl+c']])('outside of a turn are cancelled by %s', (...keys) => {
    const window = openWindow();
    window.wait(1000);
    window.ask('1', ['allow_once']);
    window.draw();
    window.press(...keys);
    expect(window.answers).toEqual(['cancelled']);
  });

  test('explain their keys with ?, and Esc closes that first', () => {
    const window = askedWindow();
    window.press('?');
    expect(window.state.request?.explained).toBe(true);
    window.press('escape');
    expect(window.state.request?.explained).toBe(false);
    expect(window.state.focus.kind).toBe('request');
  });
});
