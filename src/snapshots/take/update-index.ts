import {closeSync, fstatSync, readFileSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {FileStats, SnapshotFacts} from '../facts.ts';
import {codeOf, lstatIfAny, openRegularFile} from '../../shared/files/safe-files.ts';
import {storeObject} from '../objects.ts';
import {bytesOf, type RawPath, type SnapshotRepository} from '../repository.ts';
import type {IndexedFolder} from './candidates.ts';
import {addAll} from '../../text/lists.ts';

type NextIndex = SnapshotRepository & IndexedFolder;

/** What one git gets at once: if a file of it shrinks meanwhile, all of it is read again. */
const BATCH = {files: 20_000, bytes: 256 * 1024 * 1024, ms: 5 * 60_000} as const;
/** From this number of files on, they are stored in a pack. */
const MANY_FILES = 1000;

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
  for (const batch of batchesOf(files)) addAll(changing, await addFiles(next, batch));
  return Object.fromEntries((await addAsRead(next, changing)).map((path) => [path, 'changing']));
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
  const {git, indexPath, signal, workTree, folder} = next;
  const changing: FileStats[] = [];
  for (let left = files; left.length > 0;) {
    const input = Buffer.from(left.map(({path}) => `${path}\0`).join(''), 'latin1');
    const isPacked = left.length >= MANY_FILES;
    const options = {index: indexPath, workTree: workTree.top, signal, input, isPacked, timeoutMs: BATCH.ms};
    try {
      await git(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], options);
      break;
    } catch (error) {
      const changed = new Set(left.filter((file) => hasChanged(folder, file)));
      if (changed.size === 0 || signal?.aborted) throw error;
      // Of a git that crashed.
      await rm(`${indexPath}.lock`, {force: true});
      addAll(changing, changed);
      left = left.filter((file) => !changed.has(file));
    }
  }
  return changing;
}

function hasChanged(folder: string, {path, stats}: FileStats): boolean {
  const now = lstatIfAny(bytesOf(join(folder, '/'), path));
  return now?.ino !== stats.ino || now.size !== stats.size || now.ctimeMs !== stats.ctimeMs;
}

/** Without a blob, the path is removed. */
interface Entry {
  readonly path: RawPath;
  readonly mode?: string;
  readonly blob?: string;
}

async function setEntries(
  {git, indexPath, signal, workTree}: NextIndex,
  entries: readonly Entry[],
): Promise<void> {
  if (entries.length === 0) return;
  const prefix = Buffer.from(workTree.prefix).toString('latin1');
  const lines = entries.map(
    ({path, mode = '0', blob = '0'.repeat(40)}) => `${mode} ${blob}\t${prefix}${path}\0`,
  );
  await git(['update-index', '-z', '--replace', '--index-info'], {
    index: indexPath,
    workTree: workTree.top,
    signal,
    input: Buffer.from(lines.join(''), 'latin1'),
  });
}

/** Stores files that change too often for git to read them. Returns those that change even while they are read here. */
async function addAsRead(next: NextIndex, files: readonly FileStats[]): Promise<readonly RawPath[]> {
  const changing: RawPath[] = [];
  const entries: Entry[] = [];
  for (const {path} of files) {
    const read = readUnchanged(bytesOf(join(next.folder, '/'), path));
    if (read === 'changing') changing.push(path);
    if (typeof read === 'string') entries.push({path});
    else entries.push({path, mode: read.mode, blob: await storeObject(next.gitDir, 'blob', read.bytes)});
  }
  await setEntries(next, entries);
  return changing;
}

const READ_ATTEMPTS = 3;

/** Reads a file as it is at one moment. */
function readUnchanged(path: Buffer): {readonly mode: string; readonly bytes: Buffer} | 'gone' | 'changing' {
  for (let attempt = 1; attempt <= READ_ATTEMPTS; attempt++) {
    let file: number | undefined;
    try {
      file = openRegularFile(path, {follow: false});
      const {mode, size, ctimeMs} = fstatSync(file);
      const bytes = readFileSync(file);
      const now = fstatSync(file);
      if (bytes.length === size && now.size === size && now.ctimeMs === ctimeMs)
        return {mode: (mode & 0o100) !== 0 ? '100755' : '100644', bytes};
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? 'gone' : 'changing';
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }
  return 'changing';
}
