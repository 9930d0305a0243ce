import {accessSync, constants, lstatSync, type Stats} from 'node:fs';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {readWithGit} from '../../git/git.ts';
import {folded, SECRET_PATH} from '../../session/requests/protected-paths.ts';
import {codeOf} from '../../shared/files/safe-files.ts';
import {createScheduler} from '../../shared/scheduler.ts';
import type {FileStats, SnapshotFacts, UncoveredReason} from '../facts.ts';
import {bytesOf, SnapshotProblem, type RawPath, type SnapshotRepository} from '../repository.ts';
import {isTemporary} from '../restore-journal.ts';
import {changedSince, listFolder, type NotCovered} from './compare-folder.ts';
import type {IndexFile} from './index-file.ts';
import {stampOf, type WorkTree} from './work-tree.ts';

/** A problem that a retry does not solve. */
export class PermanentProblem extends SnapshotProblem {}

const MAX_FILES = 200_000;
const MAX_BYTES = 4 * 1024 ** 3;

/** The index of a snapshot, and the folder that it is of. */
export interface IndexedFolder {
  readonly workTree: WorkTree;
  /** Absolute. */
  readonly indexPath: string;
  readonly signal: AbortSignal | undefined;
}

/** Files that may differ from an index. */
export interface Candidates {
  readonly changed: readonly RawPath[];
  readonly gone: readonly RawPath[];
  /** Files not in the index; a nested repository ends with `/`. */
  readonly others: readonly RawPath[];
  /** Folders that cannot be listed, ending with `/`. */
  readonly locked: readonly RawPath[];
  /** What there is besides all these. */
  readonly besides: NotCovered;
  /** See `LastSnapshot`. */
  readonly userIndexStamp: string | undefined;
}

/** The last snapshot of a folder. */
interface LastSnapshot {
  readonly index: IndexFile;
  readonly facts: SnapshotFacts;
  /** What the index of the user's repository was when it named nothing that is not in this one; undefined if it named more. */
  readonly userIndexStamp?: string | undefined;
}

/** Lists the files that were changed, deleted or added since the last snapshot, if there was one. */
export async function findCandidates(
  repository: SnapshotRepository,
  indexed: IndexedFolder,
  last: LastSnapshot | undefined,
): Promise<Candidates> {
  const {userIndex} = indexed.workTree;
  const entries: IndexFile['entries'] = last?.index.entries ?? new Map();
  const isIndexed = (each: RawPath) => entries.has(each);
  const {others: listed, locked} = await listOthers(repository, indexed);
  let others = listed;
  let found = await listFolder(repository, [...entries.keys(), ...others]);
  const gone = found.gone.filter(isIndexed);
  const changed = last
    ? await changedSince(repository, {...last, present: found.present.filter(isIndexed)})
    : [];
  let userIndexStamp = userIndex === undefined ? undefined : stampOf([userIndex]);
  const isUnchanged =
    userIndexStamp === last?.userIndexStamp &&
    changed.length + gone.length === 0 &&
    isDeepStrictEqual(sorted(found.empty), last?.facts.empty) &&
    isDeepStrictEqual(sorted(found.others, others), last?.facts.others);
  if (userIndex !== undefined && !isUnchanged) {
    const tracked = await trackedAlthoughIgnored(repository.folder, indexed.signal);
    const missing = tracked.filter((each) => !isIndexed(each));
    if (missing.length > 0) {
      userIndexStamp = undefined;
      others = [...listed, ...missing.filter((each) => !OUTSIDE.test(each))];
      found = await listFolder(repository, [...entries.keys(), ...others]);
    }
  }
  if (others.length > MAX_FILES) throw new PermanentProblem(`this folder has more than ${MAX_FILES} files`);
  return {changed, gone, others, locked, besides: found, userIndexStamp};
}

/** Lets git list the files that are not in an index, and not ignored, and the folders that it cannot list. */
async function listOthers(
  {git}: SnapshotRepository,
  {workTree, indexPath, signal}: IndexedFolder,
): Promise<Pick<Candidates, 'others' | 'locked'>> {
  const {top, excludesFile, rules, prefix} = workTree;
  let locked: readonly RawPath[] = [];
  const onWarnings = (text: string) => {
    // The whole folder is no folder in it; `listFolder` says that anything may be in there.
    locked = foldersNotListed(text, Buffer.byteLength(prefix)).filter((path) => path !== '');
  };
  const options = {index: indexPath, workTree: top, excludesFile, signal, onWarnings};
  const others = split(await git(['ls-files', '-z', '--others', ...rules], options));
  return {others, locked};
}

/** Returns some paths in their order in `SnapshotFacts`. */
export function sorted(...paths: readonly (readonly RawPath[])[]): RawPath[] {
  return [...new Set(paths.flat())].sort();
}

/** An index can name anything. */
const OUTSIDE = /^\/|(?:^|\/)\.\.(?:\/|$)/;

/**
 * Returns the folders that git could not list, from its warnings, without the first bytes of their paths. Git writes `?` for control characters: instead of such
 * a folder, the one that it is in is returned.
 */
function foldersNotListed(warnings: string, above: number): readonly RawPath[] {
  const paths = Array.from(warnings.matchAll(NOT_LISTED), ([, path = '']) => path.slice(above));
  return paths.map((path) => path.replace(/[^/]*\?[^]*$/, ''));
}

const NOT_LISTED = /(?<![^\n])warning: could not open directory '([^]*?\/)': /g;

/** Returns what the user's repository tracks although its rules ignore it: git lists it neither as ignored nor as new. */
async function trackedAlthoughIgnored(
  folder: string,
  signal: AbortSignal | undefined,
): Promise<readonly RawPath[]> {
  const listed = await readWithGit(
    folder,
    ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'],
    {signal},
  );
  return listed.ok ? split(listed.stdout) : [];
}

function split(bytes: Buffer): RawPath[] {
  return bytes.toString('latin1').split('\0').slice(0, -1);
}

/** The candidates' current state on disk. */
export interface Examined {
  readonly files: readonly FileStats[];
  /** Files to remove from the index. */
  readonly gone: readonly RawPath[];
  readonly uncovered: SnapshotFacts['uncovered'];
}

/** Examines each candidate; leaves out files that are too large, unreadable or credentials, and nested repositories. */
export async function examineCandidates(
  folder: string,
  {changed, gone, others, locked}: Omit<Candidates, 'besides' | 'userIndexStamp'>,
  maxFileBytes: number,
): Promise<Examined> {
  const root = join(folder, '/');
  const indexed = new Set(changed);
  const files: FileStats[] = [];
  const left: RawPath[] = [...gone];
  const uncovered: Record<string, UncoveredReason> = Object.fromEntries(
    locked.map((path) => [path, 'unreadable']),
  );
  const pause = createScheduler();
  let bytes = 0;
  for (const path of [...changed, ...others]) {
    await pause();
    const seen = inspect(root, path, maxFileBytes);
    if (typeof seen === 'string') uncovered[path] = seen;
    if (typeof seen === 'object') files.push({path, stats: seen});
    else if (indexed.has(path)) left.push(path);
    bytes += typeof seen === 'object' ? seen.size : 0;
    if (bytes > MAX_BYTES)
      throw new PermanentProblem(`the files of this folder have more than ${MAX_BYTES / 1024 ** 3} GiB`);
  }
  return {files, gone: left, uncovered};
}

/** Undefined if it is gone, or not a file. */
function inspect(root: string, path: RawPath, maxFileBytes: number): Stats | UncoveredReason | undefined {
  if (path.endsWith('/')) return 'nested_repository';
  if (isTemporary(path)) return undefined;
  if (GIT_NAME.test(path)) return 'git_name';
  if (SECRET_PATH.test(`/${folded(path)}`)) return 'credentials';
  const at = bytesOf(root, path);
  try {
    const stats = lstatSync(at);
    if (stats.isSymbolicLink()) return GIT_MODULES.test(path) ? 'git_name' : stats;
    if (!stats.isFile()) return undefined;
    if (stats.size > maxFileBytes) return 'too_large';
    accessSync(at, constants.R_OK);
    return stats;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined;
    return 'unreadable';
  }
}

/** Git itself leaves out `.git`, and silently adds no file below a name that differs from it only in case. */
const GIT_NAME = /(?:^|\/)\.git(?:\/|$)/i;
/** Nor a link with this name. */
const GIT_MODULES = /(?:^|\/)\.gitmodules(?:\/|$)/i;
