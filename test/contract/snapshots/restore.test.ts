import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {compareSnapshots} from '../../../src/snapshots/differences.ts';
import {finishRestore, planRestore, restore, restoreSteps} from '../../../src/snapshots/restore.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {contentOf, git, snapshotFolder, type SnapshotFolder} from '../../support/folders/snapshot-folder.ts';

/** Restores a snapshot from another one. */
async function back({repository}: SnapshotFolder, from: string, to: string) {
  return restore(repository, restoreSteps(await compareSnapshots(repository, {from, to, wanted: 'to'})));
}

test('restores everything: bytes, modes, links, folders in place of files', async () => {
  const opened = await snapshotFolder((at) => void git(at, 'init', '-q'));
  const {folder, write, take, repository} = opened;
  write({
    'a.txt': 'a\r\n',
    'sub/b.bin': Buffer.from([0, 255, 10]),
    'gone/deep/c.txt': 'c',
    'large.bin': Buffer.alloc(2 * 1024 * 1024 + 1, 'a'),
    file: 'f',
    'run.sh': '#!\n',
    'dir/d': 'd',
  });
  chmodSync(join(folder, 'a.txt'), 0o600);
  symlinkSync('nowhere', join(folder, 'link'));
  const before = await take();
  const content = contentOf(folder);
  write({'a.txt': 'A', 'new/deep/x.txt': 'x', link2: ''});
  write({'large.bin': Buffer.alloc(2 * 1024 * 1024 + 1, 'b')});
  chmodSync(join(folder, 'a.txt'), 0o644);
  chmodSync(join(folder, 'run.sh'), 0o755);
  rmSync(join(folder, 'gone'), {recursive: true});
  rmSync(join(folder, 'dir'), {recursive: true});
  write({dir: 'a file now'});
  rmSync(join(folder, 'file'));
  write({'file/inside': 'a folder now'});
  rmSync(join(folder, 'link'));
  symlinkSync('sub/b.bin', join(folder, 'link'));
  renameSync(join(folder, 'sub/b.bin'), join(folder, 'moved.bin'));
  const after = await take();
  const changed = contentOf(folder);
  const files = await back(opened, after, before);
  expect(files.filter(({refused}) => refused)).toEqual([]);
  expect(contentOf(folder)).toEqual(content);
  await back(opened, before, after);
  expect(contentOf(folder)).toEqual(changed);
  expect(readdirSync(repository.gitDir)).not.toContain('restore.json');
});

test('restores names that are not UTF-8', async () => {
  const opened = await snapshotFolder();
  const {folder, take} = opened;
  const inside = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x64, 0xff])]);
  const path = Buffer.concat([inside, Buffer.from('/'), Buffer.from([0xe9])]);
  mkdirSync(inside);
  writeFileSync(path, 'bytes');
  const before = await take();
  rmSync(folder, {recursive: true});
  mkdirSync(folder);
  const after = await take();
  expect(await back(opened, after, before)).toEqual([{path: 'd\xff/\xe9', does: 'restore'}]);
  expect(readFileSync(path, 'utf8')).toBe('bytes');
});

const NAMES = ['a', 'b', 'dir/a', 'dir/b', 'dir/sub/c', 'ü', 'with space', 'dir'];
const entry = fc.record({
  name: fc.constantFrom(...NAMES),
  content: fc.oneof(fc.string(), fc.constantFrom('link:a', 'link:nowhere', 'same\n'.repeat(9))),
  mode: fc.constantFrom(0o644, 0o755, 0o600, 0o444),
});

/** Creates exactly these files, except those that conflict with an earlier one. */
function makeTree(folder: string, entries: readonly {name: string; content: string; mode: number}[]): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), {recursive: true, force: true});
  for (const {name, content, mode} of entries) {
    const path = join(folder, name);
    try {
      mkdirSync(dirname(path), {recursive: true});
      if (content.startsWith('link:')) symlinkSync(content.slice(5), path);
      else {
        writeFileSync(path, content, {flag: 'wx'});
        chmodSync(path, mode);
      }
    } catch (error) {
      if (
        !['EEXIST', 'ENOTDIR', 'ENOENT', 'EISDIR', 'ELOOP'].includes(
          (error as NodeJS.ErrnoException).code ?? '',
        )
      )
        throw error;
    }
  }
}

test('restores any tree from any other, and back', async () => {
  const opened = await snapshotFolder();
  const {folder, take} = opened;
  await fc.assert(
    fc.asyncProperty(fc.array(entry), fc.array(entry), async (one, other) => {
      makeTree(folder, one);
      const before = await take();
      const first = contentOf(folder);
      makeTree(folder, other);
      const after = await take();
      const second = contentOf(folder);
      await back(opened, after, before);
      expect(contentOf(folder)).toEqual(first);
      await back(opened, before, after);
      expect(contentOf(folder)).toEqual(second);
    }),
    // Each takes a second; `npm run fuzz` tries more.
    {numRuns: Number(process.env['PROPERTY_RUNS'] ?? 6)},
  );
}, 300_000);

describe('what changed meanwhile', () => {
  test('is kept and named; the plan says so first', async () => {
    const opened = await snapshotFolder();
    const {folder, write, take, compare, repository} = opened;
    write({'a.txt': '1', 'b.txt': '1', 'c.txt': '1'});
    const before = await take();
    write({'a.txt': '2', 'b.txt': '2', 'new.txt': 'n'});
    rmSync(join(folder, 'c.txt'));
    const after = await take();
    write({'b.txt': 'by the user', 'c.txt': 'by the user', 'new.txt': 'by the user'});
    const steps = restoreSteps(await compare(after, before));
    const expected = [
      {path: 'new.txt', does: 'delete', refused: 'it has changed since'},
      {path: 'a.txt', does: 'restore'},
      {path: 'b.txt', does: 'restore', refused: 'it has changed since'},
      {path: 'c.txt', does: 'restore', refused: 'it has changed since'},
    ];
    expect(await planRestore(repository, steps)).toEqual(expected);
    expect(await restore(repository, steps)).toEqual(expected);
    const texts = ['a.txt', 'b.txt', 'c.txt', 'new.txt'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    );
    expect(texts).toEqual(['1', 'by the user', 'by the user', 'by the user']);
    expect(await planRestore(repository, steps)).toEqual(expected.filter(({refused}) => refused));
  });

  test.runIf(process.platform === 'linux')(
    'is not in a file that a program has open for writing',
    async () => {
      const opened = await snapshotFolder();
      const {folder, write, take, compare, repository} = opened;
      write({'server.log': '1\n', 'read.txt': '1'});
      const before = await take();
      write({'server.log': '1\n2\n', 'read.txt': '2', 'new.log': '1\n'});
      const after = await take();
      const steps = restoreSteps(await compare(after, before));
      const handles = [
        openSync(join(folder, 'server.log'), 'a'),
        openSync(join(folder, 'new.log'), 'r+'),
        openSync(join(folder, 'read.txt'), 'r'),
      ];
      const refused = expect.stringMatching(/^\S.* has it open for writing$/);
      const expected = [
        {path: 'new.log', does: 'delete', refused},
        {path: 'read.txt', does: 'restore'},
        {path: 'server.log', does: 'restore', refused},
      ];
      expect(await planRestore(repository, steps)).toEqual(expected);
      expect(await restore(repository, steps)).toEqual(expected);
      writeSync(handles[0] ?? -1, '3\n');
      for (const handle of handles) closeSync(handle);
      expect(readFileSync(join(folder, 'server.log'), 'utf8')).toBe('1\n2\n3\n');
      expect(readFileSync(join(folder, 'read.txt'), 'utf8')).toBe('1');
      expect(existsSync(join(folder, 'new.log'))).toBe(true);
    },
  );

  test('is not followed through a link in place of a folder', async () => {
    const outside = temporaryFolder();
    const opened = await snapshotFolder();
    const {folder, write, take, compare, repository} = opened;
    write({'dir/a.txt': '1', 'dir/b.txt': '1'});
    const before = await take();
    write({'dir/a.txt': '2'});
    rmSync(join(folder, 'dir/b.txt'));
    const after = await take();
    const steps = restoreSteps(await compare(after, before));
    renameSync(join(folder, 'dir'), join(outside, 'dir'));
    symlinkSync(join(outside, 'dir'), join(folder, 'dir'));
    const files = await restore(repository, steps);
    expect(files.every(({refused}) => refused !== undefined)).toBe(true);
    expect(readFileSync(join(outside, 'dir/a.txt'), 'utf8')).toBe('2');
    expect(existsSync(join(outside, 'dir/b.txt'))).toBe(false);
  });
});

test('a killed restore is finished later: until then each file is in its old or its new state', async () => {
  const opened = await snapshotFolder();
  const {folder, write, take, compare, repository} = opened;
  const names = Array.from({length: 40}, (_, index) => `dir-${index % 5}/file-${index}.txt`);
  write(Object.fromEntries(names.map((name) => [name, `old ${name}`.repeat(200)])));
  const before = await take();
  const old = contentOf(folder);
  write(Object.fromEntries(names.map((name, index) => [name, index % 3 === 0 ? '' : `new ${name}`])));
  for (const name of names.slice(0, 10)) rmSync(join(folder, name));
  write({'added/x.txt': 'x', 'added/y.txt': 'y'});
  const after = await take();
  const now = contentOf(folder);
  const file = join(temporaryFolder(), 'pair.json');
  writeFileSync(
    file,
    JSON.stringify({folder, state: join(repository.gitDir, '../..'), from: after, to: before}),
  );
  for (let round = 0; round < 4; round++) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'killed/restoring.ts'), file], {
      stdio: 'pipe',
    });
    const [first] = (await once(child.stdout, 'data')) as [Buffer];
    expect(String(first)).toContain('begun');
    const target = 1 + round * 9;
    await expect
      .poll(
        () =>
          Object.entries(contentOf(folder)).filter(
            ([name, each]) => name.endsWith('.txt') && old[name] === each,
          ).length,
        {
          interval: 0,
          timeout: 60_000,
        },
      )
      .toBeGreaterThanOrEqual(target);
    child.kill('SIGKILL');
    await once(child, 'close');
    const torn = Object.entries(contentOf(folder)).filter(
      ([name, content]) => !name.includes('.acp-tui-') && ![old[name], now[name]].includes(content),
    );
    expect(torn).toEqual([]);
    await finishRestore(repository);
    expect(contentOf(folder)).toEqual(old);
    await restore(repository, restoreSteps(await compare(before, after)));
    expect(contentOf(folder)).toEqual(now);
  }
}, 300_000);

test('removes the folders of what it deletes, but none that were there, empty', async () => {
  const opened = await snapshotFolder();
  const {folder, write, take} = opened;
  write({'a.txt': 'a'});
  mkdirSync(join(folder, 'logs/deep'), {recursive: true});
  mkdirSync(join(folder, 'empty'));
  const before = await take();
  write({'logs/deep/x.log': 'x', 'empty/y': 'y', 'new/deep/z': 'z'});
  await back(opened, await take(), before);
  expect(readdirSync(folder, {recursive: true}).map(String).toSorted()).toEqual([
    'a.txt',
    'empty',
    'logs',
    'logs/deep',
  ]);
});

test('a restore whose journal is damaged does not block the next one', async () => {
  const opened = await snapshotFolder();
  const {folder, write, take, repository} = opened;
  write({'a.txt': 'one'});
  const before = await take();
  write({'a.txt': 'two'});
  const after = await take();
  writeFileSync(join(repository.gitDir, 'restore.json'), '{"owner": {"pi');
  expect(await finishRestore(repository)).toEqual([]);
  await back(opened, after, before);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one');
  expect(existsSync(join(repository.gitDir, 'restore.json.damaged'))).toBe(true);
});
