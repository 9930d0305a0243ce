import {mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {pathOf} from '../../../../src/snapshots/differences.ts';
import {SnapshotProblem} from '../../../../src/snapshots/repository.ts';
import {takeSnapshot} from '../../../../src/snapshots/take/take-snapshot.ts';
import {snapshotFolder, type SnapshotFolder} from '../../../support/folders/snapshot-folder.ts';

test('files that keep changing end up in some snapshot, and two windows do not disturb each other', async () => {
  const {write, take} = await snapshotFolder();
  write({'a.txt': 'start'});
  await take();
  let count = 0;
  const writing = setInterval(() => write({'a.txt': 'x'.repeat(50_000 + count++)}), 1);
  try {
    const ids = await Promise.all([take(), take(), take()]);
    expect(ids.every((id) => /^[0-9a-f]{40}$/.test(id))).toBe(true);
  } finally {
    clearInterval(writing);
  }
  const [one, other] = await Promise.all([take(), take()]);
  expect(one).toBe(other);
});

test('a window that ends its snapshot leaves the index of one that another is taking, however old the last one is', async () => {
  const {write, take, changes, repository} = await snapshotFolder();
  write({'a.txt': 'one', 'other.txt': 'one'});
  const before = await take();
  const old = Date.now() / 1000 - 300;
  for (const name of readdirSync(repository.gitDir).filter((name) => name.startsWith('index-')))
    utimesSync(join(repository.gitDir, name), old, old);
  write({'a.txt': 'two'});
  let ended: string | undefined;
  const id = await takeSnapshot({
    ...repository,
    async git(command, options) {
      if (command[0] === 'update-index') ended ??= await take();
      return repository.git(command, options);
    },
  });
  expect(await changes(before, id)).toEqual(['M a.txt']);
  expect(ended).toBe(id);
});

/** Takes a snapshot while `meanwhile` runs after the files are examined, and stops git as a file does that shrinks while it is read. */
async function takeWhile({repository}: SnapshotFolder, meanwhile: () => void): Promise<string> {
  let isRun = false;
  return takeSnapshot({
    ...repository,
    git: (command, options) => {
      const isReading = !isRun && command[0] === 'update-index' && command.includes('--stdin');
      if (!isReading) return repository.git(command, options);
      isRun = true;
      writeFileSync(`${options?.index}.lock`, '');
      meanwhile();
      throw new SnapshotProblem('git update-index failed: short read while indexing');
    },
  });
}

describe('a file that changes while git reads it', () => {
  test('is read again', async () => {
    const opened = await snapshotFolder();
    const {write, take, changes, repository} = opened;
    write({'a.txt': 'one', 'other.txt': 'one'});
    const before = await take();
    write({'a.txt': 'two', 'other.txt': 'two'});
    const id = await takeWhile(opened, () => write({'a.txt': 'three'}));
    expect(await changes(before, id)).toEqual(['M a.txt', 'M other.txt']);
    expect(String(await repository.git(['cat-file', 'blob', `${id}:files/a.txt`]))).toBe('three');
    expect(await take()).toBe(id);
  });

  test('is left out if it is gone', async () => {
    const opened = await snapshotFolder();
    const {folder, write, take, compare, changes} = opened;
    write({'a.txt': 'one', 'other.txt': 'one'});
    const before = await take();
    write({'a.txt': 'two', 'other.txt': 'two'});
    const id = await takeWhile(opened, () => rmSync(join(folder, 'a.txt')));
    expect(await changes(before, id)).toEqual(['D a.txt', 'M other.txt']);
    expect((await compare(before, id)).uncovered.size).toBe(0);
  });

  test('is left out and named if it cannot be read again either', async () => {
    const opened = await snapshotFolder();
    const {folder, write, take, compare} = opened;
    write({'a.txt': 'one', 'other.txt': 'one'});
    const before = await take();
    write({'a.txt': 'two', 'other.txt': 'two'});
    const id = await takeWhile(opened, () => {
      rmSync(join(folder, 'a.txt'));
      mkdirSync(join(folder, 'a.txt'));
    });
    const {files, uncovered} = await compare(before, id);
    expect(files.map(pathOf)).toEqual(['other.txt']);
    expect([...uncovered]).toEqual([['a.txt', 'changing']]);
    rmSync(join(folder, 'a.txt'), {recursive: true});
    write({'a.txt': 'two'});
    const {files: later} = await compare(before, await take());
    expect(later.map(pathOf)).toEqual(['a.txt', 'other.txt']);
  });
});
