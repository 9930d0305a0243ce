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
  tracked: z.optional(z.string()),
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
  const before = readCache(repository, workTree);
  const indexed = {workTree, index: join(gitDir, before?.index ?? 'no-index'), signal};
  const last = before && {...before, index: await readIndex(indexed).catch(throwLostIndex)};
  const candidates = await findCandidates(repository, indexed, last);
  const found = await examineCandidates(repository.folder, candidates, maxFileBytes);
  const isSame = before && found.files.length + found.gone.length === 0;
  const now = isSame
    ? {index: indexed.index, tree: before.tree, changing: {}}
    : await writeIndex(repository, {...indexed, isNew: !before}, found);
  onRead?.();
  await setReadTime(now.index, started).catch(throwLostIndex);
  const uncovered = {...found.uncovered, ...now.changing};
  const notCovered = withoutStored(candidates, {...found, uncovered});
  const facts = withExamined(before?.facts ?? initialFacts(), {...found, uncovered, notCovered});
  const {tree} = now;
  const id = await writeSnapshot(repository, {tree, facts});
  const cached = {index: basename(now.index), top: workTree.top, secrets: SECRET_PATH.source, tree, facts};
  const {tracked} = candidates;
  replaceFile(cacheFile(repository), JSON.stringify({...cached, tracked} satisfies Cache));
  if (!isSame) await removeAbandoned(gitDir, cached.index);
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
  found: Examined,
): Promise<{readonly index: string; readonly tree: string; readonly changing: SnapshotFacts['uncovered']}> {
  const {git, gitDir} = repository;
  const {workTree, signal} = last;
  const {top, prefix} = workTree;
  const index = join(gitDir, `index-${randomBytes(6).toString('hex')}`);
  if (isNew) await writeFile(index, emptyIndex(), {mode: PRIVATE_FILE});
  else await copyIndex(last.index, index).catch(throwLostIndex);
  const next = {...last, index};
  const changing = await updateIndex({...repository, ...next}, found);
  const write = (...below: readonly string[]) =>
    git(['write-tree', ...below], {index, workTree: top, signal});
  if (prefix === '') return {index, tree: idIn(await write()), changing};
  // A prefix without files would be an error.
  const {entries} = await readIndex(next).catch(throwLostIndex);
  const tree =
    entries.size === 0 ? await storeObject(gitDir, 'tree', '') : idIn(await write(`--prefix=${prefix}`));
  return {index, tree, changing};
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

function idIn(printed: Buffer): string {
  return printed.toString('latin1').trim();
}

/** Newer ones may still be used by another process. */
const ABANDONED_MS = 60_000;

async function removeAbandoned(gitDir: string, newest: string): Promise<void> {
  for (const name of await readdir(gitDir)) {
    if (!name.startsWith('index-') || name === newest) continue;
    const path = join(gitDir, name);
    const stats = await stat(path).catch(ignoreMissing);
    // A copied index has the modification time of its original.
    if (stats && Date.now() - stats.ctimeMs > ABANDONED_MS) await rm(path, {force: true});
  }
}
