import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {
  windowWithRequest,
  openWindow,
  type TestWindow,
  workingWindow,
} from '../../../../support/window/app-window.ts';

describe('reading to the end', () => {
  function long() {
    const kinds = ['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const;
    const window = windowWithRequest(kinds, {visibleRows: 10, totalRows: 25});
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
        const window = windowWithRequest([...kinds]);
        window.wait(1000);
        window.press(key);
        expect(window.answers).toEqual(['cancelled']);
      }
    },
  );

  test('start with the first that does not allow always, though the agent puts that first', () => {
    const window = windowWithRequest(['allow_always', 'allow_once', 'reject_once']);
    window.wait(1000);
    window.press('enter');
    expect(window.answers).toEqual([1]);
  });

  test('wrap around with the arrows, and Enter selects', () => {
    const window = windowWithRequest(['allow_once', 'allow_always', 'reject_once']);
    window.wait(1000);
    window.press('up', 'up', 'enter');
    expect(window.answers).toEqual([2]);
  });

  test('have no letter if several share a kind', () => {
    const window = windowWithRequest(['allow_once', 'allow_once', 'reject_once']);
    window.wait(1000);
    window.press('y');
    expect(window.answers).toEqual([]);
    expect(window.draft).toBe('');
    expect(window.state.toast?.text).toContain('number');
    window.press('2');
    expect(window.answers).toEqual([1]);
  });

  test('are answered once, however often the key is pressed', () => {
    const window = windowWithRequest();
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
    const window = windowWithRequest();
    window.press('?');
    expect(window.state.overlay.kind).toBe('text');
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

  test.each<[string, Partial<acp.ToolCallUpdate>, Parameters<TestWindow['ask']>[2], string]>([
    [
      'two files',
      {content: [diff('/a'), diff('/b')]},
      {},
      'Only a request to write one file, or to run a command here,',
    ],
    ['no file', {}, {}, 'Only a request to write one file, or to run a command here,'],
    [
      'a file that is deleted',
      {kind: 'delete', content: [diff('/a', '')]},
      {},
      'Only a request to write one file,',
    ],
    ['a command of the agent', {rawInput: {command: 'make'}}, {}, 'The agent runs this command itself'],
    [
      'a command beside a file',
      {content: [diff('/a')], rawInput: {command: 'make'}},
      {},
      'The agent runs this command itself',
    ],
    [
      'a command of a custom command',
      {rawInput: {command: 'make'}},
      {calledBy: '/tests'},
      'The command is part of /tests; change it there.',
    ],
    [
      'hidden characters',
      {content: [diff('/a', 'a\u202Eb')]},
      {},
      'It contains hidden or control characters',
    ],
    [
      'hidden characters in a command',
      {rawInput: {command: 'ls \u202Eb'}},
      {isDoneHere: true},
      'It contains hidden or control characters',
    ],
    [
      'control characters',
      {content: [diff('/a', 'a\u0007b')]},
      {},
      'It contains hidden or control characters',
    ],
  ])('says why it does not open %s', (_what, about, more, why) => {
    expect(pressedE(both, {about, ...more}).state.toast?.text).toContain(why);
  });

  test('says why it opens nothing that cannot be rejected', () => {
    const {state} = pressedE(['allow_once'], {about: {content: [diff('/a')]}});
    expect(state.toast?.text).toBe('The agent offers no "reject once", so its change cannot be edited.');
  });

  test('opens a command that runs here as a line', () => {
    const about = {kind: 'execute' as const, rawInput: {command: 'npm test'}};
    const [opened] = pressedE(both, {about, isDoneHere: true}).performed('open_editor');
    expect(opened).toMatchObject({text: 'npm test\n', request: {id: '1', path: undefined}});
  });

  test('opens only what can be rejected, if the agent would write it', () => {
    const about = {content: [diff('/a')]};
    expect(edited(['allow_once'], {about})).toBeUndefined();
    expect(edited(['allow_once'], {about, isDoneHere: true})).toBe('new');
  });

  function edited(...asked: Parameters<typeof pressedE>): string | undefined {
    return pressedE(...asked).performed('open_editor')[0]?.text;
  }

  function pressedE(kinds: typeof both, request: Parameters<TestWindow['ask']>[2]): TestWindow {
    const window = workingWindow();
    window.wait(1000);
    window.ask('1', kinds, request);
    window.draw();
    window.wait(1000);
    window.press('e');
    return window;
  }
});
