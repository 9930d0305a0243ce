import type {Stats} from 'node:fs';
import {copyFile, lstat, mkdtemp, rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {FileStats, SnapshotFacts} from '../facts.ts';
import {ignoreMissing} from '../../shared/files/safe-files.ts';
import {bytesOf, type RawPath, type SnapshotRepository} from '../repository.ts';
import type {IndexedFolder} from './candidates.ts';

type NextIndex = SnapshotRepository & IndexedFolder;

/** Batch size for git, which is killed if one call takes too long. */
const BATCH = {files: 2000, bytes: 64 * 1024 * 1024} as const;

/** Stores files in an index, and removes others from it. Returns those that were being written all the time: they are not in it. */
export async function updateIndex(
  next: NextIndex,
  {files, gone}: {readonly files: readonly FileStats[]; readonly gone: readonly RawPath[]},
): Promise<SnapshotFacts['uncovered']> {
  await setEntries(
    next,
    gone.map((path) => ({path})),
  );
  const changing: FileStats[] = [];
  for (const batch of batchesOf(files)) changing.push(...(await addFiles(next, batch)));
  return Object.fromEntries((await addCopies(next, changing)).map((path) => [path, 'changing']));
}

function* batchesOf(files: readonly FileStats[]): Generator<readonly FileStats[]> {
  let batch: FileStats[] = [];
  let bytes = 0;
  for (const file of files) {
    batch.push(file);
    bytes += file.stats.size;
    if (batch.length < BATCH.files && bytes < BATCH.bytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Git fails or crashes, and adds none of them, if one of the files shrinks while it is read. Returns those that have changed since they were examined. */
async function addFiles(next: NextIndex, files: readonly FileStats[]): Promise<readonly FileStats[]> {
  const {git, index, signal, workTree, folder} = next;
  const input = Buffer.from(files.map(({path}) => `${path}\0`).join(''), 'latin1');
  try {
    await git(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], {
      index,
      workTree: workTree.top,
      signal,
      input,
    });
    return [];
  } catch (error) {
    const now = await Promise.all(files.map(({path}) => lstatIfAny(bytesOf(join(folder, '/'), path))));
    const changing = files.filter(({stats}, at) => !isSame(stats, now[at]));
    if (changing.length === 0 || signal?.aborted) throw error;
    // Of a git that crashed.
    await rm(`${index}.lock`, {force: true});
    const others = files.filter((file) => !changing.includes(file));
    return [...changing, ...(others.length > 0 ? await addFiles(next, others) : [])];
  }
}

/** Without a blob, the path is removed. */
interface Entry {
  readonly path: RawPath;
  readonly mode?: string;
  readonly blob?: string;
}

async function setEntries(
  {git, index, signal, workTree}: NextIndex,
  entries: readonly Entry[],
): Promise<void> {
  if (entries.length === 0) return;
  const prefix = Buffer.from(workTree.prefix).toString('latin1');
  const lines = entries.map(
    ({path, mode = '0', blob = '0'.repeat(40)}) => `${mode} ${blob}\t${prefix}${path}\0`,
  );
  await git(['update-index', '-z', '--replace', '--index-info'], {
    index,
    workTree: workTree.top,
    signal,
    input: Buffer.from(lines.join(''), 'latin1'),
  });
}

/** Stores copies of files that change too often for git to read them. Returns those that changed even while they were copied. */
async function addCopies(next: NextIndex, files: readonly FileStats[]): Promise<readonly RawPath[]> {
  if (files.length === 0) return [];
  const {git, gitDir, folder, signal} = next;
  const copies = await mkdtemp(join(gitDir, 'copies-'));
  try {
    const made = await Promise.all(
      files.map(async (file, index) => {
        const copy = join(copies, String(index));
        return {file, copy, outcome: await copyUnchanged(bytesOf(join(folder, '/'), file.path), copy)};
      }),
    );
    const copied = made.filter(({outcome}) => outcome === 'copied');
    const input = copied.map(({copy}) => `${copy}\n`).join('');
    const printed = await git(['hash-object', '-w', '--no-filters', '--stdin-paths'], {input, signal});
    const blobs = printed.toString('latin1').split('\n');
    const others = made.filter(({outcome}) => outcome !== 'copied');
    await setEntries(next, [
      ...others.map(({file: {path}}) => ({path})),
      ...copied.map(({file: {path, stats}}, index): Entry => {
        const mode = (stats.mode & 0o100) !== 0 ? '100755' : '100644';
        return {path, mode, blob: blobs[index] ?? ''};
      }),
    ]);
    return others.flatMap(({file, outcome}) => (outcome === 'changing' ? [file.path] : []));
  } finally {
    await rm(copies, {recursive: true, force: true});
  }
}

const COPY_ATTEMPTS = 3;

/** Copies a file as it is at one moment. */
async function copyUnchanged(from: Buffer, to: string): Promise<'copied' | 'gone' | 'changing'> {
  for (let attempt = 1; attempt <= COPY_ATTEMPTS; attempt++) {
    const stats = await lstatIfAny(from);
    if (!stats) return 'gone';
    if (!stats.isFile()) return 'changing';
    await copyFile(from, to).catch(ignoreMissing);
    if (isSame(stats, await lstatIfAny(from))) return 'copied';
  }
  return 'changing';
}

async function lstatIfAny(path: Buffer): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}

function isSame(before: Stats, now: Stats | undefined): boolean {
  return now?.ino === before.ino && now.size === before.size && now.ctimeMs === before.ctimeMs;
}
