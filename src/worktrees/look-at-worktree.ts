import {accessSync, constants, existsSync, lstatSync, readdirSync, type Stats} from 'node:fs';
import {basename, join} from 'node:path';
import {blobIdOf} from '../git/blob-id.ts';
import {compareSnapshots, pathOf, readFacts, type Difference} from '../snapshots/differences.ts';
import type {SnapshotFacts} from '../snapshots/facts.ts';
import {bytesOf, type RawPath, type SnapshotRepository} from '../snapshots/repository.ts';
import {takeSnapshot} from '../snapshots/take/take-snapshot.ts';
import {asInput, commitAt, git, WorktreeProblem} from './worktree-git.ts';
import {worktreeSnapshots, type WorktreeRecord} from './worktree-record.ts';
import {codeOf} from '../shared/files/safe-files.ts';
import {addAll} from '../text/lists.ts';

/** The current content of a worktree, compared with what it began with, or with what was brought to its source since. */
export interface WorktreeState {
  readonly repository: SnapshotRepository;
  /** The snapshot of it. */
  readonly now: string;
  readonly difference: Difference;
  /** What differs from the commit that is checked out. */
  readonly notInHead: readonly RawPath[];
  /** What no snapshot has, and the source has not as it is here, such as files that are too large. */
  readonly uncovered: readonly RawPath[];
  /** What was changed in it, is not committed, and was not brought to the source. */
  readonly unfinished: readonly RawPath[];
  /** Those of them that no reference can keep, such as repositories in it, and files that cannot be read. */
  readonly unkept: readonly RawPath[];
  /** The commit that it has checked out, and that of its branch if this is another one. */
  readonly tips: readonly [head: string, ...others: string[]];
  /** Number of commits that are on no other branch. */
  readonly commits: number;
}

/** Examines a worktree; throws a WorktreeProblem or a SnapshotProblem. */
export async function lookAtWorktree(state: string, record: WorktreeRecord): Promise<WorktreeState> {
  const {folder, base} = record;
  if (!existsSync(folder)) throw new WorktreeProblem(`its folder ${folder} is gone`);
  if (base === undefined) throw new WorktreeProblem('it was not created completely');
  const repository = await worktreeSnapshots(state, record);
  const now = await takeSnapshot(repository);
  const [difference, facts, before, tips] = await Promise.all([
    compareSnapshots(repository, {from: base, to: now}),
    readFacts(repository, now),
    readFacts(repository, base),
    tipsOf(record),
  ]);
  const changed = new Set(difference.files.flatMap(({before: old, after}) => [old?.path, after?.path]));
  const notInHead = await differentFrom(repository, {commit: tips[0], tree: `${now}:files`});
  const hidden = difference.files.some((file) => basename(pathOf(file)) === '.gitignore')
    ? await newlyIgnored(record, before, facts)
    : [];
  const {kept, unkept} = await uncoveredIn(record, facts);
  const uncovered = [...hidden, ...kept, ...unkept];
  return {
    repository,
    now,
    difference,
    notInHead,
    uncovered,
    unfinished: [...notInHead.filter((path) => changed.has(path)), ...uncovered].sort(),
    unkept: [...unkept, ...hidden.filter((path) => path.endsWith('/') || !isReadable(folder, path))],
    tips,
    commits: await commitsOf(record, tips),
  };
}

/** Returns what is neither committed nor in the source, as it is there now: files of both are read. */
export async function uncommittedIn(
  record: WorktreeRecord,
  {notInHead, uncovered}: Pick<WorktreeState, 'notInHead' | 'uncovered'>,
): Promise<readonly RawPath[]> {
  return [...(await differentInSource(record, notInHead)), ...uncovered].sort();
}

/** Returns the commit that a worktree has checked out, and that of its branch. */
export async function tipsOf({folder, common, branch, head}: WorktreeRecord): Promise<WorktreeState['tips']> {
  const ofBranch = await commitAt({folder: common, gitDir: common}, `refs/heads/${branch}`);
  const here = existsSync(join(folder, '.git')) ? await commitAt({folder}, 'HEAD') : undefined;
  const first = here ?? ofBranch ?? head;
  return ofBranch === undefined || ofBranch === first ? [first] : [first, ofBranch];
}

/** Counts the commits that are on no other branch or tag, and that the source does not have checked out; throws a WorktreeProblem. */
export async function commitsOf(
  {common, branch, source}: WorktreeRecord,
  tips: readonly string[],
): Promise<number> {
  if (!existsSync(common)) return 0;
  const ofSource = existsSync(source) ? await commitAt({folder: source}, 'HEAD') : undefined;
  const others = [
    `--exclude=${branch}`,
    '--branches',
    '--tags',
    '--remotes',
    ...(ofSource === undefined ? [] : [ofSource]),
  ];
  const counted = await git({folder: common, gitDir: common}, [
    'rev-list',
    '--count',
    ...tips,
    '--not',
    ...others,
  ]);
  return Number(counted);
}

/** Returns the paths whose content, type or executable bit differs from a commit's in another tree. */
export async function differentFrom(
  repository: SnapshotRepository,
  {commit, tree}: {readonly commit: string; readonly tree: string},
): Promise<readonly RawPath[]> {
  const args = ['-r', '-z', '--no-renames', '--no-ext-diff', '--name-only', commit, tree];
  const printed = await repository.git(['diff-tree', ...args]);
  return printed.toString('latin1').split('\0').slice(0, -1);
}

/** Returns what is ignored now because an ignore file was changed: by the source's rules it is not. */
async function newlyIgnored(
  {folder, source, copied}: WorktreeRecord,
  {others: before = []}: SnapshotFacts,
  {others: now = []}: SnapshotFacts,
): Promise<readonly RawPath[]> {
  const known = new Set([...before, ...copied]);
  const files = now.filter((path) => !known.has(path)).flatMap((path) => filesIn(folder, path));
  if (files.length === 0) return [];
  const command = ['check-ignore', '-z', '--stdin', '--no-index'] as const;
  // It fails if none is ignored.
  const printed = await git({folder: source}, command, asInput(files)).catch(() => '');
  const ignored = new Set(printed.split('\0'));
  return files.filter((path) => !ignored.has(path));
}

const MAX_FILES = 10_000;

/** Returns a file, or those in a folder, whose path ends in `/`; the folder itself if it cannot be listed. */
function filesIn(top: string, path: RawPath): readonly RawPath[] {
  if (path !== '' && !path.endsWith('/')) return [path];
  const found: RawPath[] = [];
  let entries;
  try {
    entries = readdirSync(bytesOf(`${top}/`, path), {withFileTypes: true, encoding: 'buffer'});
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '') ? [] : [path];
  }
  for (const entry of entries) {
    const inner = path + entry.name.toString('latin1');
    if (found.length < MAX_FILES) addAll(found, filesIn(top, entry.isDirectory() ? `${inner}/` : inner));
  }
  return found;
}

/** Returns the files that snapshots do not cover and that are not as in the source; `unkept` are no files, or cannot be read. */
async function uncoveredIn(
  record: WorktreeRecord,
  now: SnapshotFacts,
): Promise<{readonly kept: readonly RawPath[]; readonly unkept: readonly RawPath[]}> {
  const paths = Object.keys(now.uncovered).filter((path) => !record.copied.includes(path));
  const isKept = (path: RawPath) =>
    fileAt(record.folder, path)?.isFile() === true && isReadable(record.folder, path);
  return {
    kept: await differentInSource(record, paths.filter(isKept)),
    unkept: paths.filter((path) => !isKept(path)),
  };
}

async function differentInSource(
  record: WorktreeRecord,
  paths: readonly RawPath[],
): Promise<readonly RawPath[]> {
  const found: RawPath[] = [];
  for (const path of paths) if (!(await isAlike(record, path))) found.push(path);
  return found;
}

/** True if a path is the same file or link in a worktree and in its source now, or is neither in both. */
async function isAlike({folder, source}: WorktreeRecord, path: RawPath): Promise<boolean> {
  const [here, there] = [fileAt(folder, path), fileAt(source, path)];
  if (!here || !there) return here === there;
  const isExecutable = ({mode}: Stats) => (mode & 0o100) !== 0;
  if (here.isSymbolicLink() !== there.isSymbolicLink()) return false;
  if (here.size !== there.size || isExecutable(here) !== isExecutable(there)) return false;
  try {
    const ours = await blobIdOf(bytesOf(`${folder}/`, path), here);
    return ours === (await blobIdOf(bytesOf(`${source}/`, path), there));
  } catch {
    return false;
  }
}

function isReadable(top: string, path: RawPath): boolean {
  const stats = fileAt(top, path);
  try {
    if (stats?.isFile()) accessSync(bytesOf(`${top}/`, path), constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns what `lstat` says of a file or link; undefined if there is none, or only behind another link. */
export function fileAt(top: string, path: RawPath): Stats | undefined {
  const folders = Array.from(path.matchAll(/\//g), ({index}) => path.slice(0, index));
  try {
    const statsAt = (each: RawPath) => lstatSync(bytesOf(`${top}/`, each));
    if (!folders.every((each) => statsAt(each).isDirectory())) return undefined;
    const stats = statsAt(path);
    return stats.isFile() || stats.isSymbolicLink() ? stats : undefined;
  } catch {
    return undefined;
  }
}
