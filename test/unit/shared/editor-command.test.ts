import {expect, test} from 'vitest';
import {editorCommand, editorLaunch} from '../../../src/shared/editor-command.ts';

const argsOf = (editor: string, line?: number) =>
  editorLaunch(editor, {file: '/p/a b.ts', line}, 'linux').args.slice(3);

test.each([
  ['vi', ['+7', '/p/a b.ts']],
  ['/usr/bin/nvim -p', ['+7', '/p/a b.ts']],
  ['LANG=C nano', ['+7', '/p/a b.ts']],
  ['env A=b emacsclient -t', ['+7', '/p/a b.ts']],
  ['code --wait', ['-g', '/p/a b.ts:7']],
  ['code --wait -g', ['/p/a b.ts:7']],
  ['"/opt/my code/code" -w', ['-g', '/p/a b.ts:7']],
  ['hx', ['/p/a b.ts:7']],
  ['some-editor', ['/p/a b.ts']],
])('%s gets a line number in its own syntax', (editor, args) => {
  expect(argsOf(editor, 7)).toEqual(args);
  expect(argsOf(editor)).toEqual(['/p/a b.ts']);
});

test('a shell splits the command line, and never the name of the file', () => {
  const {command, args} = editorLaunch('vi -n', {file: '/p/$(touch x).ts'}, 'linux');
  expect([command, ...args]).toEqual(['/bin/sh', '-c', 'exec vi -n "$@"', 'vi -n', '/p/$(touch x).ts']);
  expect(editorLaunch('"C:\\Program Files\\ed.exe" /w', {file: 'C:\\a&b.ts'}, 'win32')).toEqual({
    command: 'C:\\Program Files\\ed.exe',
    args: ['/w', 'C:\\a&b.ts'],
  });
});

test('VISUAL takes precedence over EDITOR', () => {
  expect(editorCommand({VISUAL: 'a', EDITOR: 'b'})).toBe('a');
  expect(editorCommand({VISUAL: '', EDITOR: 'b'})).toBe('b');
  expect(editorCommand({})).toBe(process.platform === 'win32' ? 'notepad' : 'vi');
});
