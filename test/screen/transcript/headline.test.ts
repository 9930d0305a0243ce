import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {symbolsFor} from '../../../components/theme/symbols.ts';
import {rowsOfHeadline} from '../../../components/tool-call/headline.ts';
import {rowsOfToolCall} from '../../../components/tool-call/tool-call.ts';
import {lookupsRow} from '../../../components/tool-call/lookups.ts';
import {stripStyles} from '../../../src/text/ansi.ts';
import {call, card, row, terminal} from '../calls.ts';
import {colorTheme, plainTheme} from '../../support/screen/theme.ts';
import {IdMap} from '../../../src/session/terminals/id-map.ts';

describe('the headline', () => {
  test.each([
    ['pending', '○ Look around'],
    ['in_progress', '◐ Look around'],
    ['completed', row('✓ Look around', '1 min 5 s')],
    ['failed', row('✗ Look around', 'failed · 1 min 5 s')],
    ['cancelled', row('⊘ Look around', 'cancelled · 1 min 5 s')],
  ] as const)('of a tool call that is %s', (status, line) => {
    const isOver = status !== 'pending' && status !== 'in_progress';
    expect(card({status, endedAt: isOver ? 65_000 : undefined})).toBe(line);
  });

  test("is one line, whatever the tool call's title", () => {
    expect(card({name: 'a\nb', title: 'one\ntwo'})).toBe('✓ one ␤ two · a ␤ b');
  });

  test('is whole in the full transcript, and so is who decided', () => {
    const words = (first: string) => Array.from({length: 30}, (_, index) => `${first}${index}`);
    const entry = call({
      title: words('title').join(' '),
      endedAt: 65_000,
      permission: {outcome: 'allowed', option: 'Allow', by: words('rule').join(' ')},
    });
    const shown = rowsOfToolCall(entry, plainTheme({extent: 'whole'}));
    for (const word of [...words('title'), ...words('rule'), '1 min 5 s'])
      expect(shown.join('\n')).toContain(word);
    expect(rowsOfToolCall(entry, plainTheme()).join('\n')).not.toContain('title29');
  });

  test('says the kind unless the title does', () => {
    expect(card({kind: 'read', title: 'Read a.ts'})).toBe('✓ Read a.ts');
    expect(card({kind: 'read', title: 'a.ts'})).toBe('✓ Read a.ts');
  });

  test('shows only the kind if the agent sent no title', () => {
    const failed = {title: 'Tool call', status: 'failed' as const, locations: [{path: '/work/a.ts'}]};
    expect(card({...failed, kind: 'edit'})).toMatch(/^\S Edit · a\.ts +failed$/);
    expect(card({...failed, kind: 'other'})).toMatch(/^\S Tool call · a\.ts/);
  });

  test('shows the location, relative to the folder, unless the title does', () => {
    expect(card({locations: [{path: '/work/src/a.ts', line: 12}]})).toBe('✓ Look around · src/a.ts:12');
    expect(card({title: 'Look at src/a.ts', locations: [{path: '/work/src/a.ts'}]})).toBe(
      '✓ Look at src/a.ts',
    );
    expect(card({locations: [{path: '/work'}]})).toBe('✓ Look around');
    expect(card({locations: [{path: '/etc/a'}, {path: '/etc/b'}]})).toBe('✓ Look around · /etc/a and 1 more');
  });

  test('takes no path for named that is a part of another one', () => {
    const diff = (path: string) => ({
      kind: 'edit' as const,
      locations: [{path}],
      content: [{type: 'diff' as const, path, oldText: null, newText: 'x'}],
    });
    expect(card({title: 'Edit /etc/hosts.bak', ...diff('/etc/hosts')})).toMatch(/^ +\/etc\/hosts \(/m);
    expect(card({title: 'Edit /etc/hosts.', ...diff('/etc/hosts')})).not.toMatch(/\/etc\/hosts \(/);
    expect(card({title: 'Look at /home/etc/hosts', locations: [{path: '/etc/hosts'}]})).toBe(
      '✓ Look at /home/etc/hosts · /etc/hosts',
    );
    expect(card({title: 'Look at abc', rawInput: {key: 'ab', other: 'abc'}})).toBe(
      '✓ Look at abc\n  key: ab',
    );
  });

  test('leaves out the folder only at the beginning of a path', () => {
    expect(card({title: 'Look at /mnt/work/a.ts'})).toBe('✓ Look at /mnt/work/a.ts');
    expect(card({title: 'Look at `/work/a.ts` and /etc/work/b'})).toBe('✓ Look at `a.ts` and /etc/work/b');
  });

  test.each([
    ['npm test --dry-run', '$ npm test'],
    ['rm -rf /old-backups', '$ rm -rf /old'],
  ])('takes no command for named that is the beginning of another one: %s', (title, line) => {
    const command = line.slice(2);
    for (const changes of [{rawInput: {command}}, {content: [{type: 'terminal' as const, terminalId: 't'}]}])
      expect(card({title, kind: 'execute', ...changes}, [terminal({command})])).toContain(`  ${line}`);
    expect(card({title: `Run \`${command}\``, kind: 'execute', rawInput: {command}})).not.toContain('$');
    expect(card({title: `${command} (in /a)`, kind: 'execute', rawInput: {command}})).not.toContain('$');
  });

  test('of a running command has its time and its lines at the right edge', () => {
    const rows = [[{text: 'step 1'}], [{text: 'step 2'}], []];
    const terminals = IdMap.from([terminal({screen: {rows, dropped: 2}})]);
    const content = [{type: 'terminal' as const, terminalId: 't'}];
    const entry = call({title: 'make', kind: 'execute', status: 'in_progress', content});
    const headline = (clock: number, status: typeof entry.status = 'in_progress') =>
      rowsOfHeadline({...entry, status}, {...plainTheme({terminals}), clock: entry.at + clock});
    expect(headline(3900)).toEqual([row('◐ Run make', '3 s · 4 lines')]);
    expect(headline(900)).toEqual([row('◐ Run make', '4 lines')]);
    expect(headline(3900, 'pending')).toEqual(['○ Run make']);
  });

  test('shows the name of the tool if it adds something', () => {
    expect(card({name: 'list_dir'})).toBe('✓ Look around · list_dir');
    expect(card({title: 'list_dir .', name: 'list_dir'})).toBe('✓ list_dir .');
    expect(card({title: 'a.txt', kind: 'read', name: 'read_file'})).toBe('✓ Read a.txt');
    expect(card({title: 'Write a.txt', kind: 'edit', name: 'write_file'})).toBe('✓ Write a.txt');
  });

  test('has its figures below if they would take half of the row, and after it with a screen reader', () => {
    const entry = call({title: 'npm run a-long-script', kind: 'execute', status: 'failed', endedAt: 65_000});
    expect(rowsOfHeadline(entry, plainTheme({columns: 28}))).toEqual([
      '✗ Run npm run a-long-script',
      '  failed · 1 min 5 s',
    ]);
    expect(rowsOfHeadline(entry, plainTheme({isLinear: true, symbols: symbolsFor('unicode', true)}))).toEqual(
      ['Tool, failed: Run npm run a-long-script, failed · 1 min 5 s'],
    );
  });

  test.each([
    ['pending', {status: 'pending'}],
    ['running', {status: 'in_progress'}],
    ['done', {}],
    ['failed', {status: 'failed'}],
    ['cancelled', {status: 'cancelled'}],
    ['rejected', {status: 'failed', permission: {outcome: 'rejected', by: 'user', option: 'No'}}],
  ] as const)('of a call that is %s begins with this word for a screen reader', (word, changes) => {
    const [spoken = ''] = rowsOfHeadline(call(changes), plainTheme({isLinear: true}));
    expect(spoken.split(': ')[0]).toBe(`Tool, ${word}`);
  });

  test('has its status mark in the status color', () => {
    const markOf = (status: acp.ToolCallStatus) =>
      rowsOfHeadline(call({status}), colorTheme())[0]?.split(' ')[0];
    expect([markOf('completed'), markOf('failed')].map((mark) => stripStyles(mark ?? ''))).toEqual([
      '●',
      '●',
    ]);
    expect(markOf('completed')).not.toBe(markOf('failed'));
  });

  test('keeps a long title on one line', () => {
    expect(card({title: 'a long title '.repeat(20), kind: 'execute'}).split('\n')).toHaveLength(1);
  });
});

describe('a run of reads and searches', () => {
  const read = (path: string) => call({kind: 'read', locations: [{path}]});
  const search = call({kind: 'search'});

  test('is one row: how many files were read, how many searches ran, and which files', () => {
    const theme = plainTheme({columns: 60});
    const reads = [read('/work/a.ts'), read('/work/b.ts'), read('/work/a.ts')];
    expect(lookupsRow([...reads, search, search], theme)).toBe('✓ Read 2 files, searched twice ▸ a.ts, b.ts');
    expect(lookupsRow([read('/work/a.ts'), search, search, search], theme)).toBe(
      '✓ Read a file, searched 3 times ▸ a.ts',
    );
    expect(lookupsRow([search, search, search], theme)).toBe('✓ Searched 3 times');
    expect(lookupsRow(reads, plainTheme({columns: 24}))).toBe('✓ Read 2 files ▸ a.ts, …');
  });
});
