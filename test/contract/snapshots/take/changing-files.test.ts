import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
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
  test('is taken from a copy', async () => {
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

  test('is left out and named if it cannot be copied either', async () => {
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
