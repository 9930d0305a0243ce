import {existsSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createReviewer} from '../../../../src/snapshots/review/reviewer.ts';
import {planRange, restoreRange} from '../../../../src/snapshots/rewind.ts';
import {storeSnapshot} from '../../../../src/snapshots/snapshot-log.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {
  contentOf,
  everythingIn,
  git,
  snapshotFolder,
  writeFiles,
} from '../../../support/folders/snapshot-folder.ts';

const SESSION = {session: 'session', turn: 1};

/** A repository with two commits. */
function committed(folder: string): void {
  git(folder, 'init', '-q', '-b', 'main');
  writeFiles(folder, {'a.txt': 'a\n', 'dir/b.txt': 'b\n', 'other/c.txt': 'c\n'});
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'first');
  writeFiles(folder, {'a.txt': 'a\na\n'});
  git(folder, 'commit', '-qam', 'second');
}

/** Makes a folder what git makes of it, from a repository that has commits. */
const from =
  (...clone: readonly string[]) =>
  (folder: string): void => {
    const origin = temporaryFolder();
    committed(origin);
    rmSync(folder, {recursive: true});
    git(origin, ...clone.map((word) => word.replace('ORIGIN', origin).replace('FOLDER', folder)));
  };

/** What its own `.git` has; nothing where that is not a folder. */
function inGit(folder: string): Readonly<Record<string, string>> {
  return existsSync(join(folder, '.git/objects')) ? everythingIn(join(folder, '.git')) : {};
}

const KINDS: readonly (readonly [string, (folder: string) => void])[] = [
  ['no repository', (folder) => writeFiles(folder, {'a.txt': 'a\n', 'dir/b.txt': 'b\n'})],
  ['an unborn branch', (folder) => void git(folder, 'init', '-q')],
  ['a branch', committed],
  [
    'a detached head',
    (folder) => {
      committed(folder);
      git(folder, 'checkout', '-q', 'HEAD~1');
    },
  ],
  ['a worktree', from('worktree', 'add', '-q', '--detach', 'FOLDER')],
  ['a shallow clone', from('clone', '-q', '--depth', '1', 'file://ORIGIN', 'FOLDER')],
  ['a partial clone', from('clone', '-q', '--filter=blob:none', 'file://ORIGIN', 'FOLDER')],
  [
    'a sparse checkout',
    (folder) => {
      committed(folder);
      git(folder, 'sparse-checkout', 'set', '--no-cone', '/a.txt', '/dir/');
    },
  ],
  [
    'a repository whose objects are elsewhere',
    (folder) => {
      committed(folder);
      renameSync(join(folder, '.git'), join(folder, '../git'));
      writeFileSync(join(folder, '.git'), `gitdir: ${join(folder, '../git')}\n`);
    },
  ],
  [
    'an unfinished merge',
    (folder) => {
      committed(folder);
      git(folder, 'checkout', '-qb', 'side', 'HEAD~1');
      writeFiles(folder, {'a.txt': 'side\n'});
      git(folder, 'commit', '-qam', 'side');
      expect(() => git(folder, 'merge', 'main')).toThrow('merge main');
    },
  ],
  [
    'a broken .git',
    (folder) => {
      committed(folder);
      rmSync(join(folder, '.git/HEAD'));
    },
  ],
  [
    'a .git that is a file of nonsense',
    (folder) => {
      writeFiles(folder, {'a.txt': 'a\n', '.git': 'nonsense\n'});
    },
  ],
];

test.each(KINDS)(
  '%s: changes are reviewed, reverted, gone back to, and .git stays as it is',
  async (_kind, prepare) => {
    const opened = await snapshotFolder(prepare);
    const {folder, write, take, repository} = opened;
    const gitBefore = inGit(folder);
    write({'a.txt': 'one\ntwo\n', 'dir/b.txt': 'b\n'});
    const before = await take();
    await storeSnapshot(repository, before, {...SESSION, when: 'before', at: Date.now()});
    const content = contentOf(folder);
    write({'a.txt': 'one\nTWO\n', 'new/c.txt': 'c'});
    rmSync(join(folder, 'dir/b.txt'));
    const reviewer = createReviewer(async () => repository);
    const read = await reviewer.read(SESSION, {kind: 'unreviewed'});
    const files = read.ok ? read.review.files : [];
    expect(files.map(({status, path}) => `${status} ${path}`)).toEqual([
      'modified a.txt',
      'deleted dir/b.txt',
      'added new/c.txt',
    ]);
    const id = read.ok ? read.review.id : '';
    await reviewer.change(SESSION, {kind: 'revert', file: 'a.txt', hunk: files[0]?.hunks[0]?.id}, id);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
    write({'a.txt': 'one\nTWO\n'});
    const changed = contentOf(folder);
    const after = await take();
    expect((await planRange(repository, {from: after, to: before})).files).toHaveLength(3);
    // What was left is named with the reason.
    const restored = await restoreRange(repository, {from: after, to: before});
    expect(restored.filter(({refused}) => refused !== undefined)).toEqual([]);
    expect(contentOf(folder)).toEqual(content);
    await restoreRange(repository, {from: before, to: after});
    expect(contentOf(folder)).toEqual(changed);
    expect(inGit(folder)).toEqual(gitBefore);
  },
);
