import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {lstatIfAny} from '../../shared/files/safe-files.ts';
import {createScheduler} from '../../shared/scheduler.ts';
import {fileVersion} from '../differences.ts';
import {permissionsOf, type SnapshotFacts} from '../facts.ts';
import {versionAt} from '../replace-file.ts';
import {bytesOf, type RawPath, type SnapshotRepository} from '../repository.ts';
import {compareStats, modeAndId, type IndexFile} from './index-file.ts';

/*
 * Compares a folder with an index in this process: to start git for it takes longer in all but very large folders.
 */

/** What a folder has besides the files of a snapshot, see `SnapshotFacts`. */
export interface NotCovered {
  readonly others: RawPath[];
  readonly empty: RawPath[];
}

interface Listed extends NotCovered {
  /** Known files that are there. */
  readonly present: readonly RawPath[];
  /** Those that are not; nothing is said of others, which are in folders that cannot be listed. */
  readonly gone: readonly RawPath[];
}

/** Beyond this number nothing is recorded but that there may have been anything. */
const MAX_OTHERS = 100_000;
const ANYTHING: NotCovered = {others: [''], empty: ['']};

/** Lists what a folder has besides known files, by no rules. Folders without any of these are not read. */
export async function listFolder(
  {folder}: Pick<SnapshotRepository, 'folder'>,
  known: readonly RawPath[],
): Promise<Listed> {
  const root = join(folder, '/');
  const folders = foldersOf(known);
  const left = new Set(known);
  const present: RawPath[] = [];
  const others: RawPath[] = [];
  const empty: RawPath[] = [];
  const pause = createScheduler();
  const waiting: RawPath[] = [''];
  for (let inside = waiting.pop(); inside !== undefined; inside = waiting.pop()) {
    await pause();
    const found = entriesOf(root, inside);
    if (!found) {
      others.push(inside);
      const above = inside;
      for (const path of left) if (path.startsWith(above)) left.delete(path);
    }
    for (const path of found ?? []) {
      if (path === `${inside}.git` || path === `${inside}.git/`) continue;
      if (left.delete(path)) present.push(path);
      else if (folders.has(path)) waiting.push(path);
      else if (path.endsWith('/') && !hasFile(root, path)) empty.push(path);
      else others.push(path);
    }
  }
  const isTooMuch = others.length + empty.length > MAX_OTHERS;
  return {...(isTooMuch ? ANYTHING : {others, empty}), present, gone: [...left]};
}

/** Returns the folders that files are in, with a `/` at the end. */
function foldersOf(paths: readonly RawPath[]): ReadonlySet<RawPath> {
  const folders = new Set<RawPath>();
  for (const path of paths)
    for (let end = path.lastIndexOf('/'); end !== -1; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return folders;
}

/** Files, links and folders in a folder, these with a `/` at the end; undefined if it cannot be listed. */
function entriesOf(root: string, inside: RawPath): readonly RawPath[] | undefined {
  try {
    const entries = readdirSync(bytesOf(root, inside), {withFileTypes: true, encoding: 'buffer'});
    return entries
      .filter((entry) => entry.isFile() || entry.isSymbolicLink() || entry.isDirectory())
      .map((entry) => `${inside}${entry.name.toString('latin1')}${entry.isDirectory() ? '/' : ''}`);
  } catch {
    return undefined;
  }
}

/** True if a folder, or one in it, has a file, or may have one. */
function hasFile(root: string, inside: RawPath): boolean {
  const entries = entriesOf(root, inside);
  return !entries || entries.some((path) => !path.endsWith('/') || hasFile(root, path));
}

/** Returns those of some files that have changed since an index was written. */
export async function changedSince(
  {folder}: Pick<SnapshotRepository, 'folder'>,
  {
    index,
    facts,
    present,
  }: {readonly index: IndexFile; readonly facts: SnapshotFacts} & Pick<Listed, 'present'>,
): Promise<readonly RawPath[]> {
  const root = join(folder, '/');
  const changed: RawPath[] = [];
  const pause = createScheduler();
  for (const path of present) {
    await pause();
    const file = bytesOf(root, path);
    const stats = lstatIfAny(file);
    const compared = stats ? compareStats(index, path, stats) : 'different';
    if (compared === 'same') continue;
    const [mode, id] = modeAndId(index, path);
    const version = {...fileVersion(path, mode, id), permissions: permissionsOf(facts, path, mode)};
    const isVersion = compared === 'young' && (await versionAt(file, [version]).catch(() => -1)) === 0;
    if (!isVersion) changed.push(path);
  }
  return changed;
}
