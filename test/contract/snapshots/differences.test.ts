import {expect, test} from 'vitest';
import {hunksIn, patchesBetween, withHunk} from '../../../src/snapshots/differences.ts';
import {SnapshotProblem} from '../../../src/snapshots/repository.ts';
import {planRange} from '../../../src/snapshots/rewind.ts';
import {snapshotFolder} from '../../support/folders/snapshot-folder.ts';

test('a carriage return before what looks like the patch of another file hides nothing', async () => {
  const {write, take, compare, repository} = await snapshotFolder();
  write({'a.txt': 'a\n', 'b.txt': 'b\n'});
  const from = await take();
  write({'a.txt': 'a\rdiff --git a/b.txt b/b.txt\nend\n', 'b.txt': 'changed\n'});
  const to = await take();
  const patches = await patchesBetween(repository, {from, to, ...(await compare(from, to))});
  const linesOf = (path: string) => hunksIn(patches.get(path) ?? '').map(({lines}) => lines);
  expect(linesOf('a.txt')).toEqual([['-a', '+a\rdiff --git a/b.txt b/b.txt', '+end']]);
  expect(linesOf('b.txt')).toEqual([['-b', '+changed']]);
});

const LONG = Array.from({length: 40}, (_, at) => `line ${at + 1}\n`).join('');
const changedAt = (...at: readonly number[]) =>
  at.reduce((text, line) => text.replace(`line ${line}\n`, `changed ${line}\n`), LONG);

test('the hunks of any file can be taken back, or be applied alone, byte for byte', async () => {
  const rows: readonly (readonly [name: string, before: string, after: string])[] = [
    ['Windows line ends', LONG.replaceAll('\n', '\r\n'), changedAt(3, 20).replaceAll('\n', '\r\n')],
    ['no final newline', LONG.trimEnd(), changedAt(3, 40).trimEnd()],
    ['a new final newline', LONG.trimEnd(), changedAt(3)],
    ['a removed final newline', LONG, changedAt(3).trimEnd()],
    ['bytes that are not UTF-8', `\xff${LONG}`, `\xff${changedAt(3, 30)}\xfe`],
    ['changes at both ends', LONG, `new\n${LONG}new\n`],
    ['nothing left', 'only\n', ''],
    ['nothing before', '', 'only\n'],
  ];
  const side = (at: 1 | 2) =>
    Object.fromEntries(rows.map((row) => [row[0], Buffer.from(row[at], 'latin1')] as const));
  const {write, take, compare, repository} = await snapshotFolder();
  write(side(1));
  const from = await take();
  write(side(2));
  const to = await take();
  const patches = await patchesBetween(repository, {from, to, ...(await compare(from, to))});
  for (const [name, before, after] of rows) {
    const hunks = hunksIn(patches.get(name) ?? '');
    expect([name, hunks.length > 0]).toEqual([name, true]);
    // From the end, since each moves the lines after it.
    const applied = (text: string, to: 'old' | 'new') =>
      hunks.reduceRight<Buffer | undefined>(
        (content, hunk) => content && withHunk(content, hunk, to),
        Buffer.from(text, 'latin1'),
      );
    const both = [applied(after, 'old'), applied(before, 'new')].map((text) => text?.toString('latin1'));
    expect([name, ...both]).toEqual([name, before, after]);
  }
});

test('a patch has the content of binary files only if it is to be applied', async () => {
  const {write, take, compare, repository} = await snapshotFolder();
  write({bin: Buffer.from([0, 1])});
  const from = await take();
  write({bin: Buffer.from([0, 2])});
  const to = await take();
  const pair = {from, to, ...(await compare(from, to))};
  expect((await patchesBetween(repository, pair)).get('bin')).toMatch(
    /^Binary files a\/bin and b\/bin differ$/m,
  );
  expect((await patchesBetween(repository, {...pair, hasBinaries: true})).get('bin')).toContain(
    'GIT binary patch',
  );
  expect((await planRange(repository, {from: to, to: from})).files).toMatchObject([{preview: 'Binary file'}]);
});

test('what is too much to preview can be restored', async () => {
  const {write, take, repository} = await snapshotFolder();
  write({'a.txt': 'a'});
  const to = await take();
  write({'a.txt': 'b'});
  const from = await take();
  const git: typeof repository.git = async (command, options) => {
    if (command.includes('-p')) throw new SnapshotProblem('it took longer than 30 s');
    return repository.git(command, options);
  };
  const {files} = await planRange({...repository, git}, {from, to});
  expect(files).toMatchObject([{does: 'restore'}]);
});
