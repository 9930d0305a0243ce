import {constants} from 'node:fs';
import {access, lstat, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {readWithGit} from '../../git/git.ts';
import {SECRET_PATH} from '../../session/requests/protected-paths.ts';
import {codeOf} from '../../shared/files/safe-files.ts';
import type {FileStats, SnapshotFacts, UncoveredReason} from '../facts.ts';
import {bytesOf, SnapshotProblem, type RawPath, type SnapshotRepository} from '../repository.ts';
import {isTemporary} from '../restore-journal.ts';
import type {WorkTree} from './work-tree.ts';

/** A problem that a retry does not solve. */
export class PermanentProblem extends SnapshotProblem {}

const MAX_FILES = 200_000;
const MAX_BYTES = 4 * 1024 ** 3;

/** The index of a snapshot, and the folder that it is of. */
export interface IndexedFolder {
  readonly workTree: WorkTree;
  /** Absolute. */
  readonly index: string;
  readonly signal: AbortSignal | undefined;
}

/** Files that may differ from an index. */
interface Candidates {
  readonly changed: readonly RawPath[];
  readonly gone: readonly RawPath[];
  /** Files not in the index; a nested repository ends with `/`. */
  readonly others: readonly RawPath[];
  /** Folders that cannot be listed, ending with `/`. */
  readonly locked: readonly RawPath[];
}

/** Lists the files that were changed, deleted or added since an index was written; a new one has no files. */
export async function findCandidates(
  {folder, git}: SnapshotRepository,
  {workTree, index, signal, isNew}: IndexedFolder & {readonly isNew: boolean},
): Promise<Candidates> {
  const {top, excludesFile, rules, isRepository, prefix} = workTree;
  const above = Buffer.byteLength(prefix);
  const options = {index, workTree: top, excludesFile, signal};
  let locked: readonly RawPath[] = [];
  const onWarnings = (text: string) => {
    // The whole folder is no folder in it; `findNotCovered` says that anything may be in there.
    locked = foldersNotListed(text, above).filter((path) => path !== '');
  };
  const [listed, different, tracked] = await Promise.all([
    git(['ls-files', '-z', '--others', ...rules], {...options, onWarnings}),
    isNew
      ? Buffer.alloc(0)
      : git(
          ['diff-files', '-z', '--name-status', '--relative', '--no-renames', '--ignore-submodules=all'],
          options,
        ),
    isRepository ? trackedAlthoughIgnored(folder, signal) : [],
  ]);
  const known =
    tracked.length > 0 && !isNew
      ? new Set(split(await git(['ls-files', '-z', '--cached'], options)))
      : undefined;
  const others = [...split(listed), ...tracked.filter((path) => !known?.has(path) && !OUTSIDE.test(path))];
  if (others.length > MAX_FILES) throw new PermanentProblem(`this folder has more than ${MAX_FILES} files`);
  const changed: RawPath[] = [];
  const gone: RawPath[] = [];
  const fields = split(different);
  for (let at = 0; at + 1 < fields.length; at += 2)
    (fields[at] === 'D' ? gone : changed).push(fields[at + 1] ?? '');
  return {changed, gone, others, locked};
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
interface Examined {
  readonly files: readonly FileStats[];
  /** Files to remove from the index. */
  readonly gone: readonly RawPath[];
  readonly uncovered: SnapshotFacts['uncovered'];
}

/** Number of files examined in parallel. */
const AT_ONCE = 64;

/** Examines each candidate; leaves out files that are too large, unreadable or credentials, and nested repositories. */
export async function examineCandidates(
  folder: string,
  {changed, gone, others, locked}: Candidates,
  maxFileBytes: number,
): Promise<Examined> {
  const files: FileStats[] = [];
  const left: RawPath[] = [...gone];
  const uncovered: Record<string, UncoveredReason> = Object.fromEntries(
    locked.map((path) => [path, 'unreadable']),
  );
  const present = [...changed, ...others];
  let bytes = 0;
  for (let at = 0; at < present.length; at += AT_ONCE) {
    const paths = present.slice(at, at + AT_ONCE);
    const inspected = await Promise.all(paths.map((path) => inspect(folder, path, maxFileBytes)));
    for (const [offset, path] of paths.entries()) {
      const seen = inspected[offset];
      if (typeof seen === 'object') {
        files.push(seen);
        bytes += seen.stats.size;
      } else if (at + offset < changed.length) left.push(path);
      if (typeof seen === 'string') uncovered[path] = seen;
    }
    if (bytes > MAX_BYTES)
      throw new PermanentProblem(`the files of this folder have more than ${MAX_BYTES / 1024 ** 3} GiB`);
  }
  return {files, gone: left, uncovered};
}

/** Undefined if it is gone, or not a file. */
async function inspect(
  folder: string,
  path: RawPath,
  maxFileBytes: number,
): Promise<FileStats | UncoveredReason | undefined> {
  if (path.endsWith('/')) return 'nested_repository';
  if (isTemporary(path)) return undefined;
  if (GIT_NAME.test(path)) return 'git_name';
  if (SECRET_PATH.test(`/${path.toLowerCase()}`)) return 'credentials';
  const at = bytesOf(join(folder, '/'), path);
  try {
    const stats = await lstat(at);
    if (stats.isSymbolicLink()) return GIT_MODULES.test(path) ? 'git_name' : {path, stats};
    if (!stats.isFile()) return undefined;
    if (stats.size > maxFileBytes) return 'too_large';
    await access(at, constants.R_OK);
    return {path, stats};
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined;
    return 'unreadable';
  }
}

/** Git itself leaves out `.git`, and silently adds no file below a name that differs from it only in case. */
const GIT_NAME = /(?:^|\/)\.git(?:\/|$)/i;
/** Nor a link with this name. */
const GIT_MODULES = /(?:^|\/)\.gitmodules(?:\/|$)/i;

type NotCovered = Required<Pick<SnapshotFacts, 'others' | 'empty'>>;

/** Beyond this number nothing is recorded but that there may have been anything. */
const MAX_OTHERS = 100_000;
const ANYTHING: NotCovered = {others: [''], empty: ['']};

/** Lists what a folder has besides the files of a snapshot, whatever the reason: no rules apply. Folders without any of its files are not read. */
export async function findNotCovered(
  {folder, git}: SnapshotRepository,
  {workTree: {top, prefix}, index, signal}: IndexedFolder,
): Promise<NotCovered> {
  const list = async (workTree: string): Promise<readonly RawPath[]> => {
    let locked: readonly RawPath[] = [];
    const above = workTree === folder ? 0 : Buffer.byteLength(prefix);
    const onWarnings = (text: string) => {
      locked = foldersNotListed(text, above);
    };
    const options = {workTree, signal, onWarnings, ...(workTree === top && {index})};
    const listed = split(await git(['ls-files', '-z', '--others', '--directory'], options));
    // The folder as a whole, since the snapshot has no file of it.
    if (workTree !== folder && listed.includes('./')) return list(folder);
    return [...listed, ...locked];
  };
  const all = await list(top);
  if (all.length > MAX_OTHERS) return ANYTHING;
  const others: RawPath[] = [];
  const empty: RawPath[] = [];
  for (const path of new Set(all)) {
    const isEmpty = path.endsWith('/') && !(await hasFile(bytesOf(join(folder, '/'), path)));
    (isEmpty ? empty : others).push(path);
  }
  return {others, empty};
}

/** True if a folder, or one in it, has a file, or may have one. */
async function hasFile(folder: Buffer): Promise<boolean> {
  try {
    const entries = await readdir(folder, {withFileTypes: true, encoding: 'buffer'});
    if (entries.some((entry) => entry.isFile() || entry.isSymbolicLink())) return true;
    for (const entry of entries)
      if (entry.isDirectory() && (await hasFile(Buffer.concat([folder, entry.name, Buffer.from('/')]))))
        return true;
    return false;
  } catch {
    return true;
  }
}
