import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {allRows} from '../../../components/layout/lazy-rows.ts';
import {rowsOfChunk} from '../../../components/chunks/chunk-rows.ts';
import {rowsOfToolCall} from '../../../components/tool-call/tool-call.ts';
import {rowsOfInput} from '../../../components/tool-call/tool-input.ts';
import {rowsOfExactContent} from '../../../components/tool-call/tool-content.ts';
import type {ToolCallEntry} from '../../../src/session/entries.ts';
import {escapeHidden} from '../../../src/text/hidden.ts';
import {stripStyles} from '../../../src/text/ansi.ts';
import {width} from '../../../src/text/width.ts';
import {byId, call, card, lines, row, terminal, text} from '../calls.ts';
import {colorTheme, plainTheme} from '../../support/screen/theme.ts';
import {diff} from '../../support/session/conversation.ts';

describe('the result of a tool call', () => {
  test('of a file that is one long line is no wider than the screen', () => {
    const drawn = rowsOfToolCall(
      call({kind: 'read', content: [text('x'.repeat(102))]}),
      plainTheme({columns: 24}),
    );
    expect(drawn.filter((line) => width(line) > 24)).toEqual([]);
  });

  test('of a read shows how much was read, not what', () => {
    expect(card({kind: 'read', title: 'a.ts', content: [text(lines(40))]})).toMatchSnapshot();
  });

  test('of very many changes shows the first line of each', () => {
    const rewritten = (_: unknown, index: number) =>
      diff(lines(30).replaceAll('line', 'row'), lines(30), `/work/${index}.ts`);
    const content = Array.from({length: 200}, rewritten);
    const drawn = rowsOfToolCall(call({kind: 'edit', content}), plainTheme());
    expect(drawn.filter((line) => line.includes('.ts'))).toHaveLength(200);
    expect(drawn.length).toBeLessThan(650);
  });

  test("of other kinds is folded, without the agent's code fence", () => {
    expect(card({content: [text(`\`\`\`\n${lines(20)}\n\`\`\``)]})).toMatchSnapshot();
  });

  test('of a command shows the end of its output and how it failed', () => {
    const exit = {code: 2, signal: null};
    expect(
      card(
        {
          kind: 'execute',
          title: 'Run the tests',
          status: 'failed',
          content: [{type: 'terminal', terminalId: 't'}],
        },
        [terminal({exit})],
      ),
    ).toMatchSnapshot();
  });

  test.each([['rm -rf build'], [['rm', '-rf', 'build']]])(
    'of a command that the title only summarizes shows the command: %o',
    (command) => {
      const sumsUp = {kind: 'execute' as const, title: 'Clean up', rawInput: {command}};
      expect(card(sumsUp)).toBe('✓ Run Clean up\n  $ rm -rf build');
      expect(card({...sumsUp, title: 'Run rm -rf build'})).toBe('✓ Run rm -rf build');
      const content = [{type: 'terminal' as const, terminalId: 't'}];
      const ran = card({...sumsUp, content}, [terminal({command: 'rm -rf build', output: ''})]);
      expect(ran.match(/\$ rm/g)).toHaveLength(1);
    },
  );

  test('of a command ended by a signal names the signal', () => {
    const exit = {code: null, signal: 'SIGKILL'};
    expect(card({content: [{type: 'terminal', terminalId: 't'}]}, [terminal({output: '', exit})])).toContain(
      'killed by SIGKILL',
    );
  });

  test('of a successful command omits the exit code', () => {
    const exit = {code: 0, signal: null};
    expect(card({content: [{type: 'terminal', terminalId: 't'}]}, [terminal({exit})])).not.toContain('exit');
  });

  test('with a diff has line numbers and signs, counts hidden lines, and omits unchanged ones', () => {
    const oldText = lines(60);
    const newText = oldText.replace('line 30', 'line thirty').replaceAll(/line 4(\d)/g, 'row 4$1');
    const content = [{type: 'diff' as const, path: '/work/a.ts', oldText, newText}];
    expect(card({kind: 'edit', title: 'Edit a.ts', content})).toMatchSnapshot();
  });

  test('highlights the changed words of a line', () => {
    const content = [diff('let two = 1;\n', 'let one = 1;\n')];
    const drawn = rowsOfToolCall(call({kind: 'edit', content}), colorTheme());
    const marked = drawn.map((line) => /\x1b\[48;2[^m]*m\x1b\[1m(\w+)/.exec(line)?.[1]).filter(Boolean);
    expect(marked).toEqual(['one', 'two']);
  });

  const changed = (changes: Partial<acp.Diff>, fields: Partial<ToolCallEntry> = {}) =>
    card({
      title: 'Edit a.ts',
      kind: 'edit',
      content: [{type: 'diff', path: '/work/a.ts', oldText: 'a\n', newText: 'b\n', ...changes}],
      ...fields,
    });

  test('with a diff of a part of a file has the line numbers of the file, or none', () => {
    expect(changed({_meta: {'acp-tui': {line: 41}}})).toMatch(/^ {2}41 - a\n {2}41 \+ b$/m);
    expect(changed({_meta: {'acp-tui': {line: null}}})).toMatch(/^ {2}- a\n {2}\+ b$/m);
  });

  test('marks a new file and a deleted one, with their length', () => {
    expect(changed({oldText: null})).toContain(row('✓ Edit a.ts', 'new file, 1 line'));
    const gone = {oldText: lines(8), newText: ''};
    expect(changed(gone)).toContain(row('✓ Edit a.ts', '+0 −8'));
    expect(changed(gone, {kind: 'delete'})).toContain(row('✓ Delete Edit a.ts', 'deleted, 8 lines'));
    expect(changed({...gone, _meta: {kind: 'delete'}})).toContain(' deleted, 8 lines');
    expect(changed({...gone, oldText: null, _meta: {kind: 'delete'}})).toContain(
      row('✓ Edit a.ts', 'deleted'),
    );
    expect(changed({...gone, _meta: {'acp-tui': {line: 1, isGone: true}}})).toContain(' deleted, 8 lines');
  });

  test('names both files of a move and of a copy', () => {
    const from = (does: string) => ({_meta: {change: {does, oldPath: '/work/old.ts'}}});
    expect(changed(from('move'), {kind: 'move'})).toContain('  old.ts → a.ts (moved, +1 −1)\n');
    expect(changed({...from('copy'), newText: 'a\n'})).toContain('  old.ts → a.ts (copied, +0 −0)');
  });

  test('wraps lines that differ beyond the edge of the screen', () => {
    const line = (end: string) => `const words = ['${'x'.repeat(60)}', '${end}'];\n`;
    const shown = changed({oldText: line('old'), newText: line('new')});
    expect(shown).toContain("'old'");
    expect(shown).toContain("'new'");
  });

  test('shows the changed part of very long lines, with room for both sides', () => {
    const line = (end: string) => `${'x'.repeat(9000)}${end}${'y'.repeat(9000)}\n`;
    const shown = changed({oldText: line(' old '), newText: line(' new ')});
    expect(shown).toContain('old');
    expect(shown).toContain('new');
    expect(shown.split('\n').length).toBeLessThanOrEqual(12);
  });

  test('cuts a long line at a character boundary', () => {
    for (const start of ['', 'x']) {
      const before = start + '😀'.repeat(400);
      const content = [diff(`${before} b\n`, `${before} a\n`)];
      expect(card({kind: 'edit', content}).isWellFormed()).toBe(true);
    }
  });

  test('does not count the final newline as a line', () => {
    expect(card({kind: 'read', content: [text(`\`\`\`\n${lines(60)}\n\n\`\`\``)]})).toContain(' 60 lines');
  });

  test('has a row for embedded text, shown as a result', () => {
    const resource = {uri: 'file:///work/a.md', text: 'one\ntwo'};
    const content = [{type: 'content' as const, content: {type: 'resource' as const, resource}}];
    expect(card({content})).toContain('[a.md · 7 B] Ctrl+X o open\n  │ one\n  │ two');
  });

  test('has a row for an image with its type and size, and the keys that open it', () => {
    const content = [
      {
        type: 'content' as const,
        content: {type: 'image' as const, mimeType: 'image/png', data: 'A'.repeat(4096)},
      },
    ];
    expect(card({content})).toContain('[image · image/png · 3 KiB] Ctrl+X o open');
  });

  test('shows a failure that is only in the raw output', () => {
    expect(card({status: 'failed', rawOutput: {error: 'No such file'}})).toContain('No such file');
  });
});

describe('a result that is only in the raw output', () => {
  test.each([
    ['a text', 'one\ntwo'],
    ['its output', {output: 'one\ntwo\n', metadata: {exit: 0}}],
    ['what it wrote', {stdout: 'one\n', stderr: 'two', exit_code: 0}],
    [
      'blocks of content',
      {
        content: [
          {type: 'text', text: 'one'},
          {type: 'text', text: 'two'},
        ],
      },
    ],
    ['a list', ['one', 'two']],
    ['a result', {success: true, result: 'one\ntwo'}],
  ])('is shown: %s', (_, rawOutput) => {
    expect(card({rawOutput})).toBe('✓ Look around\n  │ one\n  │ two');
    expect(card({rawOutput, content: [text('')]})).toBe('✓ Look around\n  │ one\n  │ two');
  });

  test('is never cut within a character', () => {
    for (const start of ['', 'x'])
      expect(card({kind: 'execute', rawOutput: `${start}␛[31m${'😀'.repeat(5000)}`}).isWellFormed()).toBe(
        true,
      );
  });

  test('is folded JSON if it contains no text', () => {
    expect(card({rawOutput: {rows: [1, 2]}})).toContain('"rows": [');
    expect(card({rawOutput: Array.from({length: 30}, (_, id) => ({id}))})).toMatch(
      /… \d+ more lines · Ctrl\+O show all$/,
    );
  });

  test('is not repeated if the content shows it, nor before the call has ended', () => {
    expect(card({rawOutput: 'twice', content: [text('once')]})).not.toContain('twice');
    expect(card({rawOutput: 'early', status: 'in_progress'})).not.toContain('early');
    const content = [{type: 'diff' as const, path: '/work/a.ts', oldText: 'a', newText: 'b'}];
    expect(card({kind: 'edit', content, rawOutput: 'Edit applied'})).not.toContain('Edit applied');
  });

  test.each([
    {exit_code: 0},
    {success: true, stdout: '', stderr: ''},
    {call_id: '1', command: ['true'], aggregated_output: '', formatted_output: '', duration: {secs: 0}},
    null,
    '',
    true,
  ])('is omitted if it only says that it succeeded: %o', (rawOutput) =>
    expect(card({rawOutput})).toBe('✓ Look around'),
  );

  test('is shown in full if it failed without output', () => {
    const rawOutput = {call_id: '1', stdout: '', stderr: '', exit_code: 3};
    expect(card({status: 'failed', rawOutput})).toContain('"exit_code": 3');
  });
});

describe('text with colors and progress', () => {
  const drawn = (value: string, changes: Partial<ToolCallEntry> = {}) =>
    rowsOfToolCall(
      call({kind: 'execute', title: 'Run it', content: [text(escapeHidden(value))], ...changes}),
      colorTheme(),
    ).slice(1);
  const {paint} = colorTheme();
  const bar = `  ${paint.line('│')} `;
  const red = (value: string) => paint.run({text: value, style: {foreground: 1}});

  test('is shown in its colors', () => {
    expect(drawn('\x1b[31mred\x1b[0m plain')).toEqual([`${bar}${red('red')} plain`]);
    expect(drawn('\x1b[1;38;5;9mone\ntwo\x1b[m')).toEqual(
      ['one', 'two'].map((word) => `${bar}${paint.run({text: word, style: {bold: true, foreground: 9}})}`),
    );
  });

  test('shows the final state of progress', () => {
    expect(drawn('10 %\r50 %\r\x1b[K\x1b[31mdone\x1b[0m\r\nnext\r\n')).toEqual([
      `${bar}${red('done')}`,
      `${bar}next`,
    ]);
  });

  test('still shows what else is hidden in it', () => {
    const [line = ''] = drawn('\x1b]0;title\x07\x1b[31mred\u200b');
    expect(stripStyles(line)).toBe('  │ ␛]0;title␇red⟨U+200B⟩');
  });

  test('is folded like any other', () => {
    const many = Array.from({length: 40}, (_, index) => `\x1b[32mline ${index}\x1b[0m`).join('\n');
    expect(drawn(many)).toHaveLength(13);
    expect(drawn(many, {kind: 'fetch'})).toHaveLength(4);
  });

  test('is exact in a request', () => {
    const exactly = plainTheme({extent: 'exact'});
    const exact = rowsOfExactContent(text(escapeHidden('no\ryes')), {}, exactly);
    expect(allRows(exact)).toEqual(['no␍yes']);
  });
});

describe('the input of a tool call', () => {
  const rawInput = {server: 'weather', arguments: {city: 'Oslo', days: 3}};
  const whole = (changes: Parameters<typeof call>[0]) =>
    rowsOfToolCall(call(changes), plainTheme({extent: 'whole'})).join('\n');

  test('is one line in the transcript', () => {
    expect(card({rawInput})).toMatch(/^ {2}server: weather · arguments: \{.*…$/m);
  });

  test('is shown in full when expanded', () => {
    expect(whole({rawInput})).toContain('"city": "Oslo"');
    expect(whole({kind: 'execute', title: 'Test', rawInput: {command: 'npm test', timeout: 5}})).toContain(
      '$ npm test\n  timeout: 5',
    );
  });

  test('is shown once if the content says it, too', () => {
    const rawInput = {command: 'npm test', description: 'Run the tests'};
    const content = [text('Run the tests')];
    expect(rowsOfInput(call({kind: 'execute', rawInput, content}), plainTheme())).toEqual(['$ npm test']);
    const all = rowsOfInput(call({kind: 'execute', rawInput}), plainTheme());
    expect(all).toContain('description: Run the tests');
  });

  test('omits what the title, a location or a diff shows', () => {
    const path = '/work/a.ts';
    expect(card({title: 'Look at /work/a.ts', rawInput: {path}})).toBe('✓ Look at a.ts');
    expect(card({locations: [{path}], rawInput: {path}})).toBe('✓ Look around · a.ts');
    const content = [{type: 'diff' as const, path, oldText: 'a', newText: 'b'}];
    expect(card({content, rawInput: {file: 'a.ts', old: 'a', new: 'b'}})).not.toContain('file:');
  });

  test('of a command shows what runs, whatever the kind of the call', () => {
    expect(card({kind: 'read', title: 'List files', rawInput: {command: 'ls -la src'}})).toContain(
      '$ ls -la src',
    );
    expect(card({kind: 'read', title: 'View', rawInput: {command: 'view', path: 'a'}})).not.toContain(
      '$ view',
    );
  });
});

describe('a permission decision', () => {
  const decided = (outcome: 'allowed' | 'rejected' | 'cancelled' | 'withdrawn', by: string) =>
    card({permission: {outcome, by, option: 'Yes, once'}});

  test('by a policy names it', () => {
    expect(decided('allowed', '--approve edits')).toContain('allowed by --approve edits (Yes, once)');
  });

  test('by the user is shown only if it was not allowed', () => {
    expect(decided('allowed', 'user')).toBe('✓ Look around');
    expect(decided('rejected', 'user')).toContain('rejected by you');
  });

  test('that rejected is no failure', () => {
    const permission = {outcome: 'rejected' as const, by: 'user', option: 'No'};
    const content = [text('The user said no')];
    for (const status of ['failed', 'cancelled', 'pending'] as const)
      expect(card({status, permission})).toBe(`${row('⊘ Look around', 'rejected')}\n  rejected by you (No)`);
    const {paint} = colorTheme();
    const rows = rowsOfToolCall(call({status: 'failed', permission, content}), colorTheme());
    expect(rows.at(-1)).toBe(`  ${paint.line('│')} The user said no`);
    expect(card({status: 'completed', permission})).toContain('✓ Look around');
  });

  test('that was never made says why', () => {
    expect(decided('cancelled', 'user')).toContain('not answered: cancelled');
    expect(decided('withdrawn', 'user')).toContain('the agent stopped waiting for it');
  });
});

test('the end of a tool call further up is one line, and says what failed', () => {
  const ended = call({
    title: 'npm test',
    kind: 'execute',
    status: 'failed',
    endedAt: 3200,
    rawOutput: 'no tests',
  });
  const rows = rowsOfChunk({kind: 'ending', id: '1+1', entry: ended}, plainTheme({columns: 52}));
  expect(rows).toEqual([`  ${row('✗ Run npm test', 'failed · 3.2 s')}`, '    │ no tests']);
});

test.each([8, 9, 20, 33, 80])('no line of a tool call is wider than the screen of %i columns', (columns) => {
  const entry = call({
    title: 'Ein sehr langer Titel 漢字漢字漢字',
    kind: 'edit',
    name: 'write_file',
    status: 'failed',
    endedAt: 65_000,
    locations: [{path: '/work/some/where/deep/down/file.ts', line: 12345}],
    permission: {outcome: 'allowed', by: '--approve edits', option: 'Ja'},
    content: [
      {
        type: 'diff',
        path: '/work/漢字.ts',
        oldText: 'a\tb 漢字漢字漢字漢字 c\n',
        newText: 'a\tb 漢 字漢字漢字漢字 d\n',
      },
      text('words and 漢字漢字漢字漢字漢字 and more words'),
      {type: 'terminal', terminalId: 't'},
      {type: 'terminal', terminalId: 'unknown'},
    ],
    rawOutput: {message: 'x'.repeat(200)},
  });
  const theme = colorTheme({columns, terminals: byId(terminal({exit: {code: 1, signal: null}}))});
  const tooWide = rowsOfToolCall(entry, theme).filter((line) => width(line) > columns);
  expect(tooWide).toEqual([]);
});

describe('the headline', () => {
  test.each([
    ['execute', 'npm test', 'Run npm test'],
    ['edit', 'notes.md', 'Edit notes.md'],
    ['edit', 'Write notes.md', 'Write notes.md'],
    ['edit', 'Writing to notes.md', 'Writing to notes.md'],
    ['read', 'Reading 3 files', 'Reading 3 files'],
    ['fetch', 'general.example', 'Fetch general.example'],
  ] as const)('of kind %s with the title "%s" is "%s"', (kind, title, shown) => {
    const [headline = ''] = rowsOfToolCall(call({kind, title}), plainTheme());
    expect(headline).toContain(` ${shown}`);
  });
});
