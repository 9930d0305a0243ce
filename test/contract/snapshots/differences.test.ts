import {expect, test} from 'vitest';
import {hunksIn, patchesBetween} from '../../../src/snapshots/differences.ts';
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
