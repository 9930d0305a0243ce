import type * as Files from 'node:fs';
import type * as Promises from 'node:fs/promises';
import {existsSync, mkdirSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, expect, test, vi} from 'vitest';
import {applyWorktree} from '../../../src/worktrees/apply-worktree.ts';
import {lossesOf, removeWorktree} from '../../../src/worktrees/remove-worktree.ts';
import {readRecords} from '../../../src/worktrees/worktree-record.ts';
import {writeFiles} from '../../support/folders/snapshot-folder.ts';
import {setUpBy, worktreeRepository} from '../../support/folders/worktree-repository.ts';

/* Root may read and delete all files, and the tests may run as root. */

const files = vi.hoisted(() => ({
  forbidden: /^$/,
  read: [] as string[],
  refuse: (path: unknown) => {
    if (!files.forbidden.test(String(path))) return;
    throw Object.assign(new Error(`EACCES: permission denied, '${String(path)}'`), {code: 'EACCES'});
  },
}));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof Files>();
  const {refuse} = files;
  return {
    ...real,
    accessSync: (...args: Parameters<typeof real.accessSync>) => (refuse(args[0]), real.accessSync(...args)),
    renameSync: (...args: Parameters<typeof real.renameSync>) => (refuse(args[0]), real.renameSync(...args)),
    readdirSync: (...args: Parameters<typeof real.readdirSync>) => (
      refuse(args[0]),
      real.readdirSync(...args)
    ),
    readFileSync: (...args: Parameters<typeof real.readFileSync>) => (
      files.read.push(String(args[0])),
      real.readFileSync(...args)
    ),
  };
});

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Promises>();
  return {
    ...real,
    rm: async (...args: Parameters<typeof real.rm>) => (files.refuse(args[0]), real.rm(...args)),
  };
});

beforeEach(() => {
  files.forbidden = /^$/;
  files.read = [];
});

const nothing = {uncommitted: [], commits: 0};

test('a worktree with files that cannot be deleted is removed, and they are named', async () => {
  const {state, made, git: run} = worktreeRepository();
  const record = await made();
  const left = join(record.folder, '../.removed-fix');
  mkdirSync(left);
  files.forbidden = /\.removed-fix$/;
  const removed = await removeWorktree(record, {state, agreed: nothing});
  expect(removed).toMatchObject({
    ok: true,
    value: {sentence: `Removed the worktree fix. Not all of its files could be deleted: ${left}.`},
  });
  expect([existsSync(record.folder), readRecords(state), run('branch', '--list', 'acp-tui/*')]).toEqual([
    false,
    [],
    '',
  ]);
  // What was left is not in the way of the next one.
  expect(await removeWorktree(await made(), {state, agreed: nothing})).toMatchObject({ok: true});
});

test('one whose folder cannot be moved stays, with the reason', async () => {
  const {state, made} = worktreeRepository();
  const record = await made();
  files.forbidden = /\/fix$/;
  expect(await removeWorktree(record, {state, agreed: nothing})).toMatchObject({
    ok: false,
    failure: {why: expect.stringContaining('EACCES')},
  });
  expect(readRecords(state)).toHaveLength(1);
});

test('a folder that is ignored now, and cannot be listed, is named as lost, and stops nothing', async () => {
  const {state, made, read} = worktreeRepository();
  const record = await made();
  writeFiles(record.folder, {'a.txt': 'agent\n', '.gitignore': '.env\nbuild/\npgdata/\n', 'pgdata/x': ''});
  files.forbidden = /\/pgdata\/$/;
  const uncommitted = ['.gitignore', 'a.txt', 'pgdata/'];
  expect(await lossesOf(record, state)).toMatchObject({
    ok: true,
    value: {uncommitted, sentence: expect.stringContaining('Nothing can bring back: pgdata/.')},
  });
  expect(await applyWorktree(record, {state})).toMatchObject({
    ok: true,
    value: {sentence: expect.stringContaining('Not brought over: pgdata/.')},
  });
  expect(read('a.txt')).toBe('agent\n');
  const agreed = {uncommitted, commits: 0};
  expect(await removeWorktree(record, {state, agreed})).toMatchObject({ok: true});
});

test.each([
  ['one', {}, /server\.key$/],
  ['one that is ignored now', {'.gitignore': '.env\nbuild/\ndata/\n'}, /server\.key$/],
])('a file that cannot be read is named as lost, and stops nothing: %s', async (_, others, forbidden) => {
  const {state, made} = worktreeRepository();
  const record = await made();
  writeFiles(record.folder, {...others, 'data/server.key': 'key\n'});
  files.forbidden = forbidden;
  const uncommitted = [...Object.keys(others), 'data/server.key'];
  expect(await lossesOf(record, state)).toMatchObject({
    ok: true,
    value: {uncommitted, sentence: expect.stringContaining('Nothing can bring back: data/server.key.')},
  });
  const agreed = {uncommitted, commits: 0};
  expect(await removeWorktree(record, {state, agreed})).toMatchObject({ok: true});
});

test('a repository that the set-up has made is not called new', async () => {
  const {state, made} = worktreeRepository();
  const record = await made({setUp: setUpBy('git init -q lib')});
  expect(await applyWorktree(record, {state})).toMatchObject({
    ok: false,
    failure: {why: 'it has no changes that acp-tui can bring over; left out: lib/'},
  });
});

test('large files are compared piece by piece, and named if they cannot be brought over', async () => {
  const {state, source, made} = worktreeRepository();
  const record = await made();
  for (const folder of [source, record.folder]) {
    writeFileSync(join(folder, 'big.bin'), 'big');
    truncateSync(join(folder, 'big.bin'), 33 * 1024 ** 2);
  }
  expect(await lossesOf(record, state)).toMatchObject({ok: true, value: {sentence: undefined}});
  const apply = () => applyWorktree(record, {state});
  expect(await apply()).toMatchObject({
    ok: false,
    failure: {why: 'it has no changes that are not in its source'},
  });
  writeFileSync(join(record.folder, 'big.bin'), 'new');
  truncateSync(join(record.folder, 'big.bin'), 33 * 1024 ** 2);
  expect(await apply()).toMatchObject({
    ok: false,
    failure: {why: 'it has no changes that acp-tui can bring over; left out: big.bin'},
  });
  expect(await lossesOf(record, state)).toMatchObject({ok: true, value: {uncommitted: ['big.bin']}});
  expect(files.read.filter((path) => path.endsWith('big.bin'))).toEqual([]);
});
