import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {
  askedWindow,
  openWindow,
  type TestWindow,
  workingWindow,
} from '../../../../support/window/app-window.ts';

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

  test('list their keys with ?, and Esc closes that first', () => {
    const window = askedWindow();
    window.press('?');
    expect(window.state.overlay.kind).toBe('picker');
    window.press('y', 'escape');
    expect(window.answers).toEqual([]);
    expect(window.state.overlay.kind).toBe('none');
    expect(window.state.focus.kind).toBe('request');
  });
});

describe('e', () => {
  const diff = (path: string, newText = 'new') => ({type: 'diff' as const, path, oldText: 'old', newText});
  const both: readonly acp.PermissionOptionKind[] = ['allow_once', 'reject_once'];

  test.each<[string, Partial<acp.ToolCallUpdate>, string | undefined]>([
    ['opens the content of a file', {content: [diff('/a')]}, 'new'],
    ['opens the last of two diffs of it', {content: [diff('/a', 'one'), diff('/a', 'two')]}, 'two'],
    ['opens none of two files', {content: [diff('/a'), diff('/b')]}, undefined],
    ['opens none beside a command', {content: [diff('/a')], rawInput: {command: 'make'}}, undefined],
    ['opens none with hidden characters', {content: [diff('/a', 'a\u202Eb')]}, undefined],
    ['opens no other content', {content: [{type: 'content', content: {type: 'text', text: 't'}}]}, undefined],
  ])('%s', (_what, about, text) => {
    expect(edited(both, {about})).toBe(text);
  });

  test('opens only what can be rejected, if the agent would write it', () => {
    const about = {content: [diff('/a')]};
    expect(edited(['allow_once'], {about})).toBeUndefined();
    expect(edited(['allow_once'], {about, isWrittenHere: true})).toBe('new');
  });

  function edited(kinds: typeof both, request: Parameters<TestWindow['ask']>[2]): string | undefined {
    const window = workingWindow();
    window.wait(1000);
    window.ask('1', kinds, request);
    window.draw();
    window.wait(1000);
    window.press('e');
    return window.performed('open_editor')[0]?.text;
  }
});
