import {randomBytes} from 'node:crypto';
import {rmSync} from 'node:fs';
import {copyFile, readdir, rm, stat, utimes, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import * as z from 'zod/mini';
import {SECRET_PATH} from '../../session/requests/protected-paths.ts';
import {codeOf, ignoreMissing, PRIVATE_FILE, replaceFile} from '../../shared/files/safe-files.ts';
import {readJson} from '../../shared/files/json-file.ts';
import {
  examineCandidates,
  findCandidates,
  PermanentProblem,
  sorted,
  type Candidates,
  type Examined,
  type IndexedFolder,
} from './candidates.ts';
import type {NotCovered} from './compare-folder.ts';
import {FACTS_ENTRY, initialFacts, snapshotFacts, withExamined, type SnapshotFacts} from '../facts.ts';
import {storeObject} from '../objects.ts';
import {SnapshotProblem, type SnapshotRepository} from '../repository.ts';
import {removeEmptyObjects} from '../snapshot-log.ts';
import {emptyIndex, readIndex} from './index-file.ts';
import {updateIndex} from './update-index.ts';
import {findWorkTree, type WorkTree} from './work-tree.ts';

/*
 * How a snapshot is taken. It is a tree in acp-tui's own repository, and an index of git's that is kept for the next one: a file with the path, size, times and
 * blob of each file in the snapshot.
 *
 * 1. `findWorkTree` (work-tree.ts) finds the user's repository that the folder is in: its rules say what is ignored.
 * 2. `findCandidates` (candidates.ts) compares the folder with the last index: which files are not in it, which have another size or time, which are gone? One
 *    git lists the new ones, by the rules; the rest is done in this process (compare-folder.ts, index-file.ts). If nothing has changed, no other git is started.
 * 3. `examineCandidates` (candidates.ts) leaves out what is not stored, such as credentials and what is too large.
 * 4. `writeIndex` copies the last index. `updateIndex` (update-index.ts) stores the changed files in the copy, and `git write-tree` makes a tree of it.
 * 5. `writeSnapshot` adds what a tree does not have, such as permission bits and the names of ignored files (facts.ts).
 * 6. `newest.json` names the new index. The one before is removed later, since another window may be at step 2 with it.
 *
 * What changes meanwhile is in the next snapshot. If git fails, or the last index is gone or damaged, all begins again, a few times.
 */

/** The index of the newest snapshot, so that the next one reads only changed files. */
const cache = z.object({
  index: z.string(),
  /** Its work tree. */
  top: z.string(),
  /** What it leaves out. */
  secrets: z.literal(SECRET_PATH.source),
  /** The tree of `files`. */
  tree: z.string(),
  facts: snapshotFacts,
  /** See `LastSnapshot`. */
  userIndexStamp: z.optional(z.string()),
});
type Cache = z.infer<typeof cache>;

export interface TakeOptions {
  /** Larger files are not covered, in bytes. */
  readonly maxFileBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when everything is read: later changes are not in the snapshot. */
  readonly onRead?: (() => void) | undefined;
}

const MAX_FILE_BYTES = 32 * 1024 * 1024;
const ATTEMPTS = 3;

/**
 * Takes a snapshot of the files that the folder's git repository tracks or would track, except those in `SnapshotFacts`. Returns the id of a git tree with the
 * entries `files` and `facts`; throws a SnapshotProblem. Restarts if files change while they are read.
 */
export async function takeSnapshot(
  repository: SnapshotRepository,
  options: TakeOptions = {},
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptSnapshot(repository, options);
    } catch (error) {
      const isOver = attempt === ATTEMPTS || options.signal?.aborted || error instanceof PermanentProblem;
      if (isOver || !(error instanceof SnapshotProblem)) throw error;
      if (DAMAGED.test(error.message)) startAnew(repository);
    }
  }
}

/** Git's errors about an index and objects that it cannot read. */
const DAMAGED = /invalid object|object file .* is empty|is unavailable|corrupt/i;

/** Makes the next attempt read every file again, and store missing objects. */
function startAnew(repository: SnapshotRepository): void {
  rmSync(cacheFile(repository), {force: true});
  removeEmptyObjects(repository);
}

async function attemptSnapshot(
  repository: SnapshotRepository,
  {maxFileBytes = MAX_FILE_BYTES, signal, onRead}: TakeOptions,
): Promise<string> {
  const {gitDir} = repository;
  const started = Date.now();
  const workTree = await findWorkTree(repository, signal);
  const cached = readCache(repository, workTree);
  const indexed = {workTree, indexPath: join(gitDir, cached?.index ?? 'no-index'), signal};
  const last = cached && {...cached, index: await readIndex(indexed).catch(throwLostIndex)};
  const candidates = await findCandidates(repository, indexed, last);
  const examined = await examineCandidates(repository.folder, candidates, maxFileBytes);
  const isUnchanged = cached && examined.files.length + examined.gone.length === 0;
  const {indexPath, tree, changing} = isUnchanged
    ? {...indexed, tree: cached.tree, changing: {}}
    : await writeIndex(repository, {...indexed, isNew: !cached}, examined);
  onRead?.();
  await setReadTime(indexPath, started).catch(throwLostIndex);
  const uncovered = {...examined.uncovered, ...changing};
  const notCovered = withoutStored(candidates, {...examined, uncovered});
  const facts = withExamined(cached?.facts ?? initialFacts(), {...examined, uncovered, notCovered});
  const id = await writeSnapshot(repository, {tree, facts});
  const index = basename(indexPath);
  const {userIndexStamp} = candidates;
  const next: Cache = {index, top: workTree.top, secrets: SECRET_PATH.source, tree, facts, userIndexStamp};
  replaceFile(cacheFile(repository), JSON.stringify(next));
  if (!isUnchanged) await removeAbandoned(gitDir, index);
  return id;
}

/** Returns what a folder has besides the files of a snapshot. */
function withoutStored(
  {changed, others, besides}: Candidates,
  {files, uncovered}: Pick<Examined, 'files' | 'uncovered'>,
): NotCovered {
  const stored = new Set(files.map(({path}) => path).filter((path) => uncovered[path] === undefined));
  const left = sorted(besides.others, others, changed, Object.keys(uncovered));
  return {others: left.filter((path) => !stored.has(path)), empty: sorted(besides.empty)};
}

/** Writes an index and the tree of its files; `changing` are those that it cannot have, see `updateIndex`. */
async function writeIndex(
  repository: SnapshotRepository,
  {isNew, ...last}: IndexedFolder & {readonly isNew: boolean},
  examined: Examined,
): Promise<{
  readonly indexPath: string;
  readonly tree: string;
  readonly changing: SnapshotFacts['uncovered'];
}> {
  const {git, gitDir} = repository;
  const {workTree, signal} = last;
  const {top, prefix} = workTree;
  const indexPath = join(gitDir, `index-${randomBytes(6).toString('hex')}`);
  if (isNew) await writeFile(indexPath, emptyIndex(), {mode: PRIVATE_FILE});
  else await copyIndex(last.indexPath, indexPath).catch(throwLostIndex);
  const next = {...last, indexPath};
  const changing = await updateIndex({...repository, ...next}, examined);
  const write = async (...below: readonly string[]) => {
    const printed = await git(['write-tree', ...below], {index: indexPath, workTree: top, signal});
    return printed.toString('latin1').trim();
  };
  if (prefix === '') return {indexPath, tree: await write(), changing};
  // A prefix without files would be an error.
  const {entries} = await readIndex(next).catch(throwLostIndex);
  const tree = entries.size === 0 ? await storeObject(gitDir, 'tree', '') : await write(`--prefix=${prefix}`);
  return {indexPath, tree, changing};
}

/** File systems keep times in steps of up to two seconds. */
const TIME_STEP_SECONDS = 2;

/** Files changed from a time on are compared by content with an index: their times may not reveal a change since. Git does that with files as young as it is. */
async function setReadTime(index: string, milliseconds: number): Promise<void> {
  const seconds = Math.floor(milliseconds / 1000) - TIME_STEP_SECONDS;
  await utimes(index, seconds, seconds);
}

/** Keeps its time, see `setReadTime`. */
async function copyIndex(from: string, to: string): Promise<void> {
  const {mtimeMs} = await stat(from);
  await copyFile(from, to);
  await utimes(to, mtimeMs / 1000, mtimeMs / 1000);
}

function throwLostIndex(error: unknown): never {
  if (codeOf(error) !== 'ENOENT') throw error;
  throw new SnapshotProblem('the index of the last snapshot is gone');
}

function cacheFile({gitDir}: SnapshotRepository): string {
  return join(gitDir, 'newest.json');
}

/** Undefined if there is none, it belongs to another work tree, or it is unreadable. */
function readCache(repository: SnapshotRepository, {top}: WorkTree): Cache | undefined {
  const found = readJson(cacheFile(repository), cache);
  return found?.top === top ? found : undefined;
}

/** Stores a tree of files with its facts; returns the id of the snapshot. */
export async function writeSnapshot(
  {gitDir}: SnapshotRepository,
  {tree, facts}: Pick<Cache, 'tree' | 'facts'>,
): Promise<string> {
  const blob = await storeObject(gitDir, 'blob', JSON.stringify(facts));
  const content = `${FACTS_ENTRY}${bytesOfId(blob)}40000 files\0${bytesOfId(tree)}`;
  return storeObject(gitDir, 'tree', Buffer.from(content, 'latin1'));
}

/** An id in a tree, each character a byte. */
function bytesOfId(id: string): string {
  return Buffer.from(id, 'hex').toString('latin1');
}

/** Newer ones may still be used by another process. */
const ABANDONED_MS = 60_000;

async function removeAbandoned(gitDir: string, newest: string): Promise<void> {
  const packs = join('objects', 'pack');
  const inPacks = (await readdir(join(gitDir, packs)).catch(ignoreMissing)) ?? [];
  // Git leaves the pack that it writes when it is killed.
  const abandoned = [
    ...(await readdir(gitDir)).filter((name) => name.startsWith('index-') && name !== newest),
    ...inPacks.filter((name) => name.startsWith('tmp_pack_')).map((name) => join(packs, name)),
  ];
  for (const name of abandoned) {
    const path = join(gitDir, name);
    const stats = await stat(path).catch(ignoreMissing);
    // A copied index has the modification time of its original.
    if (stats && Date.now() - stats.ctimeMs > ABANDONED_MS) await rm(path, {force: true});
  }
}
