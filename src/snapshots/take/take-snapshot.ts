import {createHash, randomBytes} from 'node:crypto';
import {rmSync} from 'node:fs';
import {copyFile, readdir, rm, stat, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {SECRET_PATH} from '../../session/requests/protected-paths.ts';
import {codeOf, PRIVATE_FILE, replaceFile} from '../../shared/files/safe-files.ts';
import {readJson} from '../../shared/files/json-file.ts';
import {examineCandidates, findCandidates, findNotCovered, PermanentProblem} from './candidates.ts';
import {FACTS_ENTRY, initialFacts, snapshotFacts, withExamined} from '../facts.ts';
import {storeObject} from '../objects.ts';
import {ignoreMissing} from '../replace-file.ts';
import {SnapshotProblem, type SnapshotRepository} from '../repository.ts';
import {removeEmptyObjects} from '../snapshot-log.ts';
import {updateIndex, type NextIndex} from './update-index.ts';
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
  const workTree = await findWorkTree(repository, signal);
  const before = readCache(repository, workTree);
  const index = join(repository.gitDir, before?.index ?? 'no-index');
  const candidates = await findCandidates(repository, {workTree, index, signal, isNew: !before});
  const found = await examineCandidates(repository.folder, candidates, maxFileBytes);
  let {uncovered} = found;
  let tree = before?.tree;
  let name = before?.index ?? '';
  if (tree !== undefined && found.files.length + found.gone.length === 0) {
    await stat(index).catch(throwLostIndex);
  } else {
    name = `index-${randomBytes(6).toString('hex')}`;
    const next = {...repository, workTree, index: join(repository.gitDir, name), signal};
    if (before) await copyIndex(index, next.index).catch(throwLostIndex);
    else await writeFile(next.index, emptyIndex(), {mode: PRIVATE_FILE});
    uncovered = {...uncovered, ...(await updateIndex(next, found))};
    tree = await writeTree(next);
  }
  const listing = {workTree, index: join(repository.gitDir, name), signal};
  const notCovered = await findNotCovered(repository, listing);
  onRead?.();
  const facts = withExamined(before?.facts ?? initialFacts(), {...found, uncovered, notCovered});
  const id = await writeSnapshot(repository, {tree, facts});
  replaceFile(
    cacheFile(repository),
    JSON.stringify({
      index: name,
      top: workTree.top,
      secrets: SECRET_PATH.source,
      tree,
      facts,
    } satisfies Cache),
  );
  if (name !== before?.index) await removeAbandoned(repository.gitDir, name);
  return id;
}

/** An index of version 2 without files. */
function emptyIndex(): Buffer {
  const header = Buffer.from('DIRC\0\0\0\x02\0\0\0\0', 'latin1');
  return Buffer.concat([header, createHash('sha1').update(header).digest()]);
}

/** Keeps its time: git compares the content of files as young as the index, since their times may not reveal a change. */
async function copyIndex(from: string, to: string): Promise<void> {
  const {mtimeMs} = await stat(from);
  await copyFile(from, to);
  const seconds = Math.floor(mtimeMs / 1000);
  await utimes(to, seconds, seconds);
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

async function writeTree({git, gitDir, index, workTree, signal}: NextIndex): Promise<string> {
  const options = {index, workTree: workTree.top, signal};
  const {prefix} = workTree;
  if (prefix === '') return idIn(await git(['write-tree'], options));
  // A prefix without files would be an error.
  const hasFiles = (await git(['ls-files', '-z', '--cached'], options)).length > 0;
  if (!hasFiles) return storeObject(gitDir, 'tree', '');
  return idIn(await git(['write-tree', `--prefix=${prefix}`], options));
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
    if (!TEMPORARY.test(name) || name === newest) continue;
    const path = join(gitDir, name);
    const stats = await stat(path).catch(ignoreMissing);
    // A copied index has the modification time of its original.
    if (stats && Date.now() - stats.ctimeMs > ABANDONED_MS) await rm(path, {recursive: true, force: true});
  }
}

/** An index, or a folder of copies. */
const TEMPORARY = /^(?:index|copies)-/;
