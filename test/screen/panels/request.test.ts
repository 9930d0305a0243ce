import type * as acp from '@agentclientprotocol/sdk/unstable';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {allRows} from '../../../components/layout/lazy-rows.ts';
import {rowsOfRequest} from '../../../components/requests/permission-request.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {reduce} from '../../../src/session/reduce.ts';
import type {ToolCallEntry} from '../../../src/session/entries.ts';
import type {PendingPermission} from '../../../src/session/state.ts';
import {width} from '../../../src/text/width.ts';
import {call as plainCall, terminal} from '../calls.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {hiddenLeaves} from '../shown-request.ts';
import {IdMap} from '../../../src/session/terminals/id-map.ts';

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
  allRows(rowsOfRequest(request(raw), plainTheme({columns: 40}), call(changes))).join('\n');

/** The same from the agent's message. */
function asked(toolCall: Partial<acp.ToolCallUpdate>, raw?: string): string {
  const sent = {sessionId: 's', toolCall: {toolCallId: 'a', title: 'Do something', ...toolCall}, options: []};
  const event = {type: 'permission_requested' as const, id: 'p', at: 0, request: sent, ...(raw && {raw})};
  const [pending] = reduce(initialSession({cwd: '/work', additionalDirectories: [], at: 0}), event)
    .pending as PendingPermission[];
  return allRows(rowsOfRequest(pending!, plainTheme({columns: 40}), pending!.call)).join('\n');
}

const hiddenText = (text: string) => ({
  type: 'content',
  content: {type: 'text', text, annotations: {audience: ['assistant']}},
});

describe('the effect of a request', () => {
  test('shows the command itself, since a title is the agent’s text', () => {
    expect(drawn({title: 'List files', rawInput: {command: 'rm -rf /', timeout: 10}})).toBe(
      '│ List files\n│ $ rm -rf /\n│ timeout: 10',
    );
  });

  test('cannot be hidden by a title that contains it', () => {
    expect(drawn({title: 'Confirm the list', rawInput: {command: 'rm'}})).toContain('$ rm');
    expect(drawn({title: 'It is true', rawInput: {force: true}})).toContain('force: true');
  });

  test('quotes a command of several words as it would be typed', () => {
    expect(drawn({rawInput: {command: ['bash', '-lc', 'make']}})).toContain('$ bash -lc make');
  });

  test('shows a command once if the title repeats it with other quotes', () => {
    const rawInput = {command: 'sh', args: ['-c', 'make all']};
    expect(drawn({title: 'sh -c make all', rawInput})).toBe("│ $ sh -c 'make all'");
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

  test.each([
    ['spaces at its end', 'one\n', 'one  \n', '+ one··'],
    ['a tab instead of spaces', '        one\n', '\tone\n', '+ →one'],
  ])('highlights what changes in a line if that is only %s', (_, oldText, ...[newText, expected]) => {
    const content = [{type: 'diff' as const, path: '/work/a.ts', oldText, newText}];
    expect(drawn({content})).toContain(expected);
  });

  test.each([
    ['at the end, beside a word', 'one two\n', 'one three  \n', '+ one three··'],
    ['at the end, removed', 'one two \t\n', 'one three\n', '- one two·→'],
    ['at the start, beside a word', '  one two three\n', '\tsix two three\n', '+ →six two three'],
    ['at the start of another line', '        one\n', '\tsix\n', '- ········one'],
    ['at the end of another line', 'one\n', 'six\t\n', '+ six→'],
    ['at the end of an added line', 'one\n', 'one\ntwo \n', '+ two·'],
    ['in a line of only whitespace', 'one\n', 'one\n \t\n', '+ ·→'],
  ])('shows changed whitespace %s', (_, oldText, ...[newText, expected]) => {
    const content = [{type: 'diff' as const, path: '/work/a.ts', oldText, newText}];
    expect(drawn({content})).toContain(expected);
  });

  test('shows no unchanged whitespace', () => {
    const newText = '  one three \n    more\n';
    const content = [{type: 'diff' as const, path: '/work/a.ts', oldText: '  one two \n', newText}];
    expect(drawn({content})).not.toMatch(/[·→]/);
  });

  test('says that a diff changes nothing', () => {
    const content = [{type: 'diff' as const, path: '/work/a.ts', oldText: 'x\n', newText: 'x\n'}];
    expect(drawn({content})).toContain('a.ts (no change)');
  });

  test('does not repeat what the diff shows', () => {
    const content = [{type: 'diff' as const, path: '/work/a.ts', oldText: 'old words', newText: 'new words'}];
    expect(
      drawn({
        content,
        rawInput: {path: '/work/a.ts', old_string: 'old words', new_string: 'new', mode: '0777'},
      }),
    ).not.toMatch(/old_string|new_string|path:/);
    expect(drawn({content, rawInput: {mode: '0777'}})).toContain('mode: 0777');
    expect(drawn({content, rawInput: {replace_all: false}})).not.toContain('replace_all');
    expect(drawn({content, rawInput: {replaceAll: true}})).toContain('replaceAll: true');
  });

  test('does not repeat what a patch beside the diff shows, only its other parts', () => {
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

  test('shows a change once if a git patch contains it, too, alone or beside its numbers', () => {
    const content = [{type: 'diff' as const, path: 'a.ts', oldText: '', newText: 'one\n'}];
    const head = 'diff --git a/work/a.ts b/work/a.ts\ncreate file mode 100644\nindex 0000000..0000000\n';
    const patch = `\n${head}--- a/dev/null\n+++ b/work/a.ts\n@@ -1,0 +1,1 @@\n+one\n`;
    expect(drawn({content, rawInput: {diff: patch}})).toBe('│ Do something\n│ a.ts (+1 −0)\n│ 1 + one');
    expect(
      drawn({content, rawInput: {filediff: {file: 'a.ts', patch, additions: 1, deletions: 0}}}),
    ).not.toMatch(/@@|filediff/);
    expect(drawn({content, rawInput: {diff: patch.replace('100644', '100755')}})).toContain('100755');
    expect(drawn({content, rawInput: {diff: patch.replaceAll('work/a.ts', 'work/b.ts')}})).toContain('b.ts');
    expect(drawn({content, rawInput: {filediff: {patch, run: 'rm -rf ~'}}})).toContain('rm -rf ~');
    expect(drawn({content, rawInput: {filediff: {patch, additions: 2}}})).toContain('"additions": 2');
  });

  test('shows every location', () => {
    const locations = [{path: '/work/a.ts', line: 3}, {path: '/etc/passwd'}];
    expect(drawn({locations})).toContain('│ a.ts:3\n│ /etc/passwd');
  });

  test('shows a location once with its change, and the extra line number', () => {
    const content = [{type: 'diff' as const, path: '/work/a.ts', oldText: null, newText: 'x\n'}];
    const locations = [{path: '/work/a.ts'}, {path: '/work/b.ts'}];
    expect(drawn({locations, content})).toBe('│ Do something\n│ b.ts\n│ a.ts (new file, 1 line)\n│ 1 + x');
    expect(drawn({locations: [{path: '/work/a.ts', line: 3}], content})).toContain('a.ts:3');
  });

  test('shows what was sent if it had to be corrected', () => {
    expect(drawn({}, '{"toolCall":"odd"}')).toContain('{"toolCall":"odd"}');
  });

  test('cannot hide anything behind control characters', () => {
    expect(asked({}, 'a\x1b[2Jb\rc')).toContain('a␛[2Jb␍c');
    expect(asked({rawInput: {command: 'ls -la \x1b]0;touch x;#\x07'}})).toBe(
      [
        '! Contains hidden or control characters,',
        '  shown as ⟨U+200B⟩ or ␛.',
        '│ Do something',
        '│ $ ls -la ␛]0;touch x;#␇',
      ].join('\n'),
    );
  });

  test.each([
    [
      'the path of a change',
      {content: [{type: 'diff', path: '/work/a\u200b.ts', newText: 'x\n'}]},
      'a⟨U+200B⟩.ts',
    ],
    ['a new text', {content: [{type: 'diff', path: '/work/a', newText: 'x\x1bP;rm\x1b\\'}]}, 'x␛P;rm␛\\'],
    ['a place', {locations: [{path: '/work/a\ufe0f'}]}, 'a⟨U+FE0F⟩'],
    ['a title', {title: 'ls\x9d0;x\x9c'}, 'ls⟨U+009D⟩0;x⟨U+009C⟩'],
    ['an argument', {rawInput: {command: ['cat', 'a\u{e0101}']}}, '$ cat a⟨U+E0101⟩'],
    ['the name of an argument', {rawInput: {'na\u202eme': 'x'}}, 'na⟨U+202E⟩me: x'],
    ['content for the model only', {content: [hiddenText('the plan')]}, 'the plan'],
  ] as [string, Partial<acp.ToolCallUpdate>, string][])(
    'shows what is hidden in %s',
    (_, reported, expected) => {
      expect(asked(reported)).toContain(expected);
      expect(
        asked(reported)
          .split('\n')
          .every((line) => /^[│! ]/.test(line)),
      ).toBe(true);
    },
  );

  test.each([
    ['a command', {rawInput: {command: 'cp \u05d0\u05d1 \u05d2'}}, '$ cp \u05d0\u05d1 \u05d2'],
    ['a path', {locations: [{path: '/work/\u0639\u0631\u0628 12.ts'}]}, '\u0639\u0631\u0628 12.ts'],
  ] as [string, Partial<acp.ToolCallUpdate>, string][])(
    'says that a terminal may reorder right-to-left letters in %s, and keeps their order',
    (_, reported, expected) => {
      expect(asked(reported)).toContain('Contains right-to-left letters');
      expect(asked(reported)).toContain(expected);
    },
  );

  test('says nothing about order where all letters go from left to right', () => {
    expect(asked({rawInput: {command: 'cp ä 漢 д'}})).not.toContain('right-to-left');
  });

  test('quotes lists of words for a shell, and shows arguments beside a command', () => {
    expect(asked({rawInput: {command: ['rm', '-rf', 'a b', '']}})).toContain("$ rm -rf 'a b' ''");
    expect(asked({rawInput: {command: './deploy', args: ['--dry-run', '$x']}})).toContain(
      "$ ./deploy --dry-run '$x'",
    );
  });

  test('shows a command once that is sent under two names', () => {
    const command = 'make && ls';
    expect(asked({rawInput: {command, commands: [command], cmd: command}})).toBe(
      '│ Do something\n│ $ make && ls',
    );
    expect(asked({rawInput: {command, commands: [command, 'rm']}})).toContain("commands: 'make && ls' rm");
  });

  test('does not let another command hide behind the one shown', () => {
    expect(asked({rawInput: {command: 'ls', cmd: 'rm -rf /'}})).toContain('rm -rf /');
    const content = [
      {
        type: 'diff' as const,
        path: '/work/a',
        oldText: `x${'\ny'.repeat(20)}\nrm -rf /\n`,
        newText: `z${'\ny'.repeat(20)}\nrm -rf /\n`,
      },
    ];
    expect(asked({content, rawInput: {context_command: 'rm -rf /'}})).toContain('rm -rf /');
    expect(asked({content, rawInput: {new_string: 'rm -rf /'}})).toContain('rm -rf /');
  });

  test('shows where and with which variables a command runs, even if its title or locations say the same', () => {
    const locations = [{path: '/work/x'}];
    const rawInput = {command: 'ls', env: {LD_PRELOAD: '/work/x', PATH: ''}, cwd: '/work/x'};
    expect(asked({locations, rawInput})).toContain('"LD_PRELOAD": "/work/x"');
    expect(asked({locations, rawInput})).toContain('"PATH": ""');
    expect(asked({locations, rawInput})).toContain('cwd: /work/x');
    expect(asked({title: './x', rawInput: {command: './x', env: {GIT_PAGER: './x'}}})).toContain('GIT_PAGER');
  });

  test.each([
    ['one of several paths', {source: '/work/x', target: '/work/y'}],
    ['a value that a diff contains', {new_mode: 'x', mode: 'x'}],
    ['the title under another name', {force: 'Do something'}],
    ['a nested field', {options: {path: '/work/x', target: '/work/y'}}],
    ['the values of variables', {environment: {path: '/work/x'}}],
  ])('repeats a value that is only elsewhere: %s', (_, rawInput) => {
    const locations = [{path: '/work/x'}, {path: '/work/y'}];
    const content = [{type: 'diff' as const, path: '/work/x', oldText: null, newText: 'x\n'}];
    expect(hiddenLeaves(rawInput, asked({rawInput, locations, content}))).toEqual([]);
  });

  test('leaves out only what is drawn under its own name', () => {
    const content = [{type: 'diff' as const, path: '/work/x', oldText: 'old\n', newText: 'new\n'}];
    const drawnAs: Readonly<Record<string, string>> = {
      title: 'Do something',
      description: 'Do something',
      command: 'ls',
      cmd: 'ls',
      path: '/work/x',
      file_path: '/work/x',
      old_string: 'old',
      new_string: 'new',
      content: 'new',
    };
    const names = fc.constantFrom(
      ...Object.keys(drawnAs),
      'cwd',
      'env',
      'target',
      'new_mode',
      'oldPath',
      'filediff',
      'edits',
      'x',
    );
    const values = fc.constantFrom(...Object.values(drawnAs), '', 'other', '/work', 'x');
    const {input} = fc.letrec<{input: unknown; object: Record<string, unknown>}>((tie) => ({
      object: fc.dictionary(names, tie('input'), {maxKeys: 4}),
      input: fc.oneof(
        {maxDepth: 3},
        values,
        fc.integer(),
        fc.array(tie('input'), {maxLength: 2}),
        tie('object'),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(names, input), (rawInput) => {
        const isExcused = (name: string, value: unknown) => value === drawnAs[name];
        const shown = asked({rawInput, content});
        expect(hiddenLeaves(rawInput, shown).filter(([name, value]) => !isExcused(name, value))).toEqual([]);
      }),
    );
  });

  test('keeps every space, and distinguishes a wrapped row from a new line', () => {
    expect(asked({rawInput: {command: `rm -rf ./build/directory/of/the/agent  /\nls`}})).toContain(
      ['│ $ rm -rf', '│ ┆  ./build/directory/of/the/agent  /', '│ ls'].join('\n'),
    );
  });

  test('cannot imitate answers or the frame', () => {
    const lines = asked({title: '─ acp-tui asks ───\n  1. Allow\n❯ 2. Reject'}).split('\n');
    expect(lines.every((line) => line.startsWith('│ '))).toBe(true);
  });

  test('counts the columns of wide characters', () => {
    const lines = drawn({rawInput: {question: '全'.repeat(18)}}).split('\n');
    expect(lines.filter((line) => width(line) > 40)).toEqual([]);
    expect(lines.join('')).toContain('全'.repeat(18));
  });

  test('keeps tabs out of its rows, which are as wide as measured', () => {
    expect(drawn({title: 'a\tb', rawInput: {'na\tme': 'va\tlue', command: 'ls\tx'}}, 'r\taw')).not.toContain(
      '\t',
    );
  });

  test('says when the agent sent nothing', () => {
    expect(rowsOfRequest(request(), plainTheme(), undefined)).toEqual([
      'The agent does not say what it wants to do.',
    ]);
  });
});

test('a request does not move when its command writes output: that is not what is approved', () => {
  const asked = (rows: number, exit?: {code: number; signal: null}) => {
    const screen = {rows: Array.from({length: rows}, (_, row) => [{text: `row ${row}`}]), dropped: 0};
    const terminals = IdMap.from([terminal({command: 'npm test', screen, ...(exit && {exit})})]);
    const entry = call({title: 'Test', content: [{type: 'terminal', terminalId: 't'}]});
    return allRows(rowsOfRequest(request(), plainTheme({columns: 60, terminals}), entry)).join('\n');
  };
  expect(asked(0)).toContain('npm test');
  expect(asked(0)).toContain('Ctrl+O show output');
  expect(asked(40)).toBe(asked(0));
  expect(asked(40, {code: 1, signal: null})).toBe(asked(0));
});

test('a command that has not begun stands once in its request, also if it has a terminal already', () => {
  const command = 'for i in 1 2; do echo $i; done';
  const terminals = IdMap.from([terminal({command})]);
  const entry = call({
    title: command,
    status: 'pending',
    kind: 'execute',
    rawInput: {command},
    content: [{type: 'terminal', terminalId: 't'}],
  });
  const rows = allRows(rowsOfRequest(request(), plainTheme({columns: 60, terminals}), entry)).join('\n');
  expect(rows.split(command)).toHaveLength(2);
  expect(rows).not.toContain('show output');
});
