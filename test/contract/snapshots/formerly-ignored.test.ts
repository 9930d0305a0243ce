import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {compareSnapshots, pathOf} from '../../../src/snapshots/differences.ts';
import {initialFacts} from '../../../src/snapshots/facts.ts';
import {createReviewer} from '../../../src/snapshots/review/reviewer.ts';
import {planRange, restoreRange} from '../../../src/snapshots/rewind.ts';
import {storeSnapshot} from '../../../src/snapshots/snapshot-log.ts';
import {writeSnapshot} from '../../../src/snapshots/take/take-snapshot.ts';
import {git, snapshotFolder, type SnapshotFolder} from '../../support/folders/snapshot-folder.ts';

const MINE = 'of the user, in no repository\n';
const SESSION = {session: 'session', turn: 1};

/** What restoring the first of two snapshots would delete, and how it leaves a file. */
async function goneBack(opened: SnapshotFolder, name: string, before: string) {
  const {folder, repository, take} = opened;
  const range = {from: await take(), to: before};
  const {files, uncovered} = await planRange(repository, range);
  await restoreRange(repository, range);
  return {
    deleted: files.filter(({does}) => does === 'delete').map(({path}) => path.slice(folder.length + 1)),
    uncovered,
    left: existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined,
  };
}

const IGNORED = 'ignored at that time';

describe('restoring a snapshot does not delete a file that it does not cover', () => {
  test.each([
    ['without git', () => {}],
    ['in a git repository', (folder: string) => void git(folder, 'init', '-q')],
  ])('%s: it was ignored until .gitignore was changed', async (_where, prepare) => {
    const opened = await snapshotFolder(prepare);
    const {write, take} = opened;
    write({'.gitignore': 'build\n', 'sub/.gitignore': '*.local\n', 'sub/notes.local': MINE, 'build/x': MINE});
    const before = await take();
    write({'.gitignore': '', 'sub/.gitignore': '', 'sub/new.txt': 'by the agent'});
    const {deleted, uncovered, left} = await goneBack(opened, 'sub/notes.local', before);
    expect(deleted).toEqual(['sub/new.txt']);
    expect(uncovered).toEqual(
      expect.arrayContaining([
        {path: 'build/x', reason: IGNORED},
        {path: 'sub/notes.local', reason: IGNORED},
      ]),
    );
    expect(left).toBe(MINE);
    expect(readFileSync(join(opened.folder, 'build/x'), 'utf8')).toBe(MINE);
  });

  test('it was ignored by info/exclude, or by the folder above', async () => {
    const opened = await snapshotFolder((inside) => {
      git(join(inside, '..'), 'init', '-q');
      writeFileSync(join(inside, '../.gitignore'), '*.above\n');
      writeFileSync(join(inside, '../.git/info/exclude'), '*.mine\n');
    }, 'inside');
    const {folder, write, take} = opened;
    write({'a.mine': MINE, 'b.above': MINE, 'kept.txt': 'k'});
    const before = await take();
    writeFileSync(join(folder, '../.git/info/exclude'), '');
    git(folder, 'add', '-f', 'b.above');
    const {deleted, left} = await goneBack(opened, 'a.mine', before);
    expect(deleted).toEqual([]);
    expect(left).toBe(MINE);
    expect(readFileSync(join(folder, 'b.above'), 'utf8')).toBe(MINE);
  });

  test.each([
    [
      'by the folder above',
      (inside: string, rules: string) => writeFileSync(join(inside, '../.gitignore'), rules),
    ],
    [
      'by core.excludesFile',
      (inside: string, rules: string) => {
        writeFileSync(join(inside, '../../rules'), rules);
        git(inside, 'config', 'core.excludesFile', join(inside, '../../rules'));
      },
    ],
    [
      'by info/exclude',
      (inside: string, rules: string) => writeFileSync(join(inside, '../.git/info/exclude'), rules),
    ],
  ])('it was ignored %s, which has changed since', async (_where, ignore) => {
    const opened = await snapshotFolder((inside) => {
      git(join(inside, '..'), 'init', '-q');
      ignore(inside, 'node_modules\n.secrets\n*.log\n');
    }, 'packages-app');
    const {folder, write, take} = opened;
    write({'.secrets': MINE, 'node_modules/x/y.js': MINE, 'src/a.log': MINE, 'src/a.ts': 'a'});
    const before = await take();
    ignore(folder, '');
    write({'src/new.ts': 'by the agent', 'src/b.log': 'by the agent'});
    const {deleted, left} = await goneBack(opened, '.secrets', before);
    expect(deleted.toSorted()).toEqual(['src/b.log', 'src/new.ts']);
    expect(left).toBe(MINE);
    expect(readFileSync(join(folder, 'node_modules/x/y.js'), 'utf8')).toBe(MINE);
    expect(readFileSync(join(folder, 'src/a.log'), 'utf8')).toBe(MINE);
  });

  test('core.worktree named a folder above, and no longer does', async () => {
    const opened = await snapshotFolder((inside) => {
      git(inside, 'init', '-q');
      git(inside, 'config', 'core.worktree', join(inside, '..'));
    }, 'inside');
    const {folder, write, take, changes} = opened;
    write({'a.txt': MINE});
    const before = await take();
    write({'b.txt': 'by the agent'});
    expect(await changes(before, await take())).toEqual(['A b.txt']);
    git(folder, 'config', '--unset', 'core.worktree');
    const {deleted, left} = await goneBack(opened, 'a.txt', before);
    expect(deleted).toEqual(['b.txt']);
    expect(left).toBe(MINE);
  });

  test('the snapshot does not say what else there was: it is of an older version', async () => {
    const opened = await snapshotFolder();
    const {folder, write, take, repository} = opened;
    write({'a.txt': 'one'});
    const tree = String(await repository.git(['ls-tree', '-d', await take()])).slice(12, 52);
    const before = await writeSnapshot(repository, {tree, facts: initialFacts()});
    write({'a.txt': 'two', 'b.txt': MINE});
    const {deleted, uncovered, left} = await goneBack(opened, 'b.txt', before);
    expect(deleted).toEqual([]);
    expect(uncovered).toEqual([{path: 'b.txt', reason: 'may have existed at that time'}]);
    expect(left).toBe(MINE);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one');
  });

  test('it was in a nested repository', async () => {
    const opened = await snapshotFolder();
    const {folder, write, take} = opened;
    mkdirSync(join(folder, 'inner'));
    git(join(folder, 'inner'), 'init', '-q');
    write({'inner/a.txt': MINE});
    const before = await take();
    rmSync(join(folder, 'inner/.git'), {recursive: true});
    const {deleted, left} = await goneBack(opened, 'inner/a.txt', before);
    expect(deleted).toEqual([]);
    expect(left).toBe(MINE);
  });

  test('restoring a newer snapshot again does not delete files that it ignored', async () => {
    const opened = await snapshotFolder();
    const {write, take} = opened;
    write({'a.txt': MINE});
    const before = await take();
    write({'.gitignore': 'a.txt\n'});
    const after = await take();
    await restoreRange(opened.repository, {from: after, to: before});
    expect((await goneBack(opened, 'a.txt', after)).left).toBe(MINE);
  });
});

test('a review names files that were ignored before, which cannot be reverted', async () => {
  const opened = await snapshotFolder();
  const {folder, write, take, repository} = opened;
  write({'.gitignore': 'mine.txt\n', 'mine.txt': MINE});
  await storeSnapshot(repository, await take(), {...SESSION, when: 'before', at: Date.now()});
  write({'.gitignore': ''});
  const reviewer = createReviewer(async () => repository);
  const outcome = await reviewer.read(SESSION, {kind: 'unreviewed'});
  expect(outcome.ok && outcome.review.files.map(({path}) => path)).toEqual(['.gitignore']);
  expect(outcome.ok && outcome.review.uncovered).toEqual([{path: 'mine.txt', reason: IGNORED}]);
  const id = outcome.ok ? outcome.review.id : '';
  await reviewer.change(SESSION, {kind: 'revert', file: 'mine.txt', hunk: undefined}, id);
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe(MINE);
});

/** File permissions do not apply to root: then the work is done as another user. */
async function asOrdinaryUser(work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

test.each([
  ['without git', '', () => {}],
  ['in a git repository', '', (folder: string) => void git(folder, 'init', '-q')],
  ['below the top of one', 'söme/sub', (folder: string) => void git(join(folder, '../..'), 'init', '-q')],
])(
  'names a folder that cannot be listed, and never deletes what was in it, %s',
  async (_what, inside, prepare) => {
    await asOrdinaryUser(async () => {
      const {folder, write, take, repository} = await snapshotFolder(prepare, inside);
      write({'a.txt': 'a', 'löcked/deep/b.txt': 'b', 'c.txt': 'c'});
      chmodSync(join(folder, 'löcked'), 0o300);
      const before = await take();
      chmodSync(join(folder, 'löcked'), 0o755);
      write({'c.txt': 'changed'});
      const now = await take();
      const difference = await compareSnapshots(repository, {from: now, to: before, wanted: 'to'});
      expect(difference.files.map(pathOf)).toEqual(['c.txt']);
      const name = Buffer.from('löcked/').toString('latin1');
      expect([...difference.uncovered]).toEqual([[name, 'unreadable']]);
    });
  },
);

test.each(['ctl\u0001x', 'new\nline', "quo'te", 'why?'])(
  'nor what was in a folder %j that cannot be listed, whose name git does not print as it is',
  async (name) => {
    await asOrdinaryUser(async () => {
      const opened = await snapshotFolder();
      const {folder, write, take} = opened;
      const mine = `${name}/deep/mine.txt`;
      write({[mine]: MINE, [`sub/${mine}`]: MINE, 'other/a.txt': 'a'});
      for (const each of [name, `sub/${name}`]) chmodSync(join(folder, each), 0o300);
      const before = await take();
      for (const each of [name, `sub/${name}`]) chmodSync(join(folder, each), 0o755);
      const {deleted, left} = await goneBack(opened, mine, before);
      expect(deleted).toEqual([]);
      expect(left).toBe(MINE);
      expect(readFileSync(join(folder, 'sub', mine), 'utf8')).toBe(MINE);
    });
  },
);

test('a file is new although its time comes from a clock that moves in steps', async () => {
  const {folder, write, take, repository} = await snapshotFolder();
  const to = await take();
  write({'new.txt': 'of the agent'});
  const {birthtimeMs} = statSync(join(folder, 'new.txt'));
  await storeSnapshot(repository, to, {...SESSION, when: 'before', at: Math.floor(birthtimeMs) + 9});
  const restored = await restoreRange(repository, {from: await take(), to});
  expect(restored).toEqual([{path: join(folder, 'new.txt'), does: 'delete'}]);
});

test('a file that a turn moved from where snapshots do not cover it is left, and named', async () => {
  const opened = await snapshotFolder((folder) => void git(folder, 'init', '-q'));
  const {folder, write, take, repository} = opened;
  write({
    '.gitignore': 'vendor/\n',
    'vendor/data.txt': MINE,
    '.env': MINE,
    'tracked.txt': 'of the user\n'.repeat(20),
  });
  const to = await take();
  // Taken when all of that existed.
  const at = Date.now() + 20;
  await vi.waitUntil(() => Date.now() > at);
  await storeSnapshot(repository, to, {...SESSION, when: 'before', at});
  renameSync(join(folder, 'vendor'), join(folder, 'third'));
  renameSync(join(folder, '.env'), join(folder, 'config.txt'));
  renameSync(join(folder, 'tracked.txt'), join(folder, 'renamed.txt'));
  write({'new.txt': 'of the agent'});
  const range = {from: await take(), to};
  const plan = await planRange(repository, range);
  const refused = Object.fromEntries(
    plan.files.map((file) => [file.path.slice(folder.length + 1), file.refused]),
  );
  const why = 'it existed before, and may have been moved from where snapshots do not cover it';
  const expected = {
    'third/data.txt': why,
    'config.txt': why,
    'renamed.txt': undefined,
    'tracked.txt': undefined,
    'new.txt': undefined,
  };
  expect(refused).toEqual(expected);
  const done = await restoreRange(repository, range);
  expect(Object.fromEntries(done.map((file) => [file.path.slice(folder.length + 1), file.refused]))).toEqual(
    expected,
  );
  expect(readdirSync(folder).toSorted()).toEqual([
    '.git',
    '.gitignore',
    'config.txt',
    'third',
    'tracked.txt',
  ]);
  expect(readFileSync(join(folder, 'third/data.txt'), 'utf8')).toBe(MINE);
});

test('of a moved file that got a second name, one of the two is left', async () => {
  const {folder, write, take, repository} = await snapshotFolder((each) => void git(each, 'init', '-q'));
  write({'.env': MINE});
  const to = await take();
  const at = Date.now() + 20;
  await vi.waitUntil(() => Date.now() > at);
  await storeSnapshot(repository, to, {...SESSION, when: 'before', at});
  renameSync(join(folder, '.env'), join(folder, 'config.txt'));
  linkSync(join(folder, 'config.txt'), join(folder, 'config2.txt'));
  const done = await restoreRange(repository, {from: await take(), to});
  expect(done.filter(({refused}) => refused !== undefined)).toHaveLength(1);
  const left = readdirSync(folder).find((name) => name.startsWith('config'));
  expect(readFileSync(join(folder, left ?? ''), 'utf8')).toBe(MINE);
});
