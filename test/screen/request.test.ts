import {describe, expect, test} from 'vitest';
import {drawRequest} from '../../components/permission/request-lines.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {PendingPermission} from '../../src/session/state.ts';
import {width} from '../../src/text/width.ts';
import {call as plainCall} from './calls.ts';
import {plainDraw} from './draw.ts';

const request = (raw?: string): PendingPermission => ({
  kind: 'permission',
  id: 'p',
  toolCallId: 'a',
  call: call({}),
  changes: 0,
  options: [],
  askedAt: 0,
  ...(raw === undefined ? {} : {raw}),
});

const call = (changes: Partial<ToolCallEntry>): ToolCallEntry =>
  plainCall({title: 'Do something', kind: 'execute', status: 'pending', ...changes});

const drawn = (changes: Partial<ToolCallEntry>, raw?: string) =>
  drawRequest(request(raw), call(changes), plainDraw({columns: 40})).join('\n');

describe('what will happen', () => {
  test('shows the command itself, since a title is the agent’s own words', () => {
    expect(drawn({title: 'List files', rawInput: {command: 'rm -rf /', timeout: 10}})).toBe(
      'List files\n$ rm -rf /\ntimeout: 10',
    );
  });

  test('cannot be hidden by a title that holds it', () => {
    expect(drawn({title: 'Confirm the list', rawInput: {command: 'rm'}})).toContain('$ rm');
    expect(drawn({title: 'It is true', rawInput: {force: true}})).toContain('force: true');
  });

  test('shows a command of several words as it would be typed', () => {
    expect(drawn({rawInput: {command: ['bash', '-lc', 'make']}})).toContain('$ bash -lc make');
  });

  test('shows a long command to its end', () => {
    const lines = drawn({rawInput: {command: `${'echo '.repeat(100)}END`}}).split('\n');
    expect(lines.at(-1)).toContain('END');
  });

  test('shows a whole diff, however long', () => {
    const newText = Array.from({length: 500}, (_, line) => `line ${line}`).join('\n');
    const content = [{type: 'diff' as const, path: '/work/a.ts', oldText: null, newText}];
    const lines = drawn({content}).split('\n');
    expect(lines.at(-1)).toContain('500 + line 499');
    expect(lines.filter((line) => line.includes(' + line'))).toHaveLength(500);
  });

  test('does not say twice what the diff says', () => {
    const content = [{type: 'diff' as const, path: '/work/a.ts', oldText: 'old words', newText: 'new words'}];
    expect(
      drawn({
        content,
        rawInput: {path: '/work/a.ts', old_string: 'old words', new_string: 'new', mode: '0777'},
      }),
    ).not.toMatch(/old_string|new_string|path:/);
    expect(drawn({content, rawInput: {mode: '0777'}})).toContain('mode: 0777');
  });

  test('does not say twice what a patch beside the diff says, and says what only the patch does', () => {
    const path = '/work/a.ts';
    const content = [{type: 'diff' as const, path, oldText: 'one\ntwo\n', newText: 'one\n2\n'}];
    const patch = `Index: ${path}\n===\n--- ${path}\n+++ ${path}\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n`;
    expect(drawn({content, rawInput: {diff: patch}})).not.toContain('@@');
    expect(drawn({content, rawInput: {diff: `${patch}+rm -rf ~\n`}})).toContain('rm -rf ~');
    expect(drawn({content, rawInput: {diff: `rm -rf ~\n${patch}`}})).toContain('rm -rf ~');
    expect(drawn({content, rawInput: {diff: patch.replaceAll(path, '/etc/passwd')}})).toContain(
      '/etc/passwd',
    );
  });

  test('shows every place', () => {
    const locations = [{path: '/work/a.ts', line: 3}, {path: '/etc/passwd'}];
    expect(drawn({locations})).toContain('a.ts:3\n/etc/passwd');
  });

  test('shows what was sent where it had to be mended', () => {
    expect(drawn({}, '{"toolCall":"odd"}')).toContain('{"toolCall":"odd"}');
  });

  test('cannot hide anything behind control characters', () => {
    expect(drawn({}, 'a\x1b[2Jb\rc')).not.toMatch(/[\x1b\r]/);
  });

  test('counts what wide characters take of a row', () => {
    const lines = drawn({rawInput: {question: '全'.repeat(18)}}).split('\n');
    expect(lines.filter((line) => width(line) > 40)).toEqual([]);
    expect(lines.join('')).toContain('全'.repeat(18));
  });

  test('keeps tabs out of its rows, which are as wide as they were measured', () => {
    expect(drawn({title: 'a\tb', rawInput: {'na\tme': 'va\tlue', command: 'ls\tx'}}, 'r\taw')).not.toContain(
      '\t',
    );
  });

  test('says so when the agent told nothing', () => {
    expect(drawRequest(request(), undefined, plainDraw())).toEqual([
      'The agent does not tell what it wants to do.',
    ]);
  });
});
