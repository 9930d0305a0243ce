import {existsSync, lstatSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {readWithGit} from '../../git/git.ts';
import {statIfAny} from '../../shared/files/safe-files.ts';
import {SnapshotProblem, type SnapshotRepository} from '../repository.ts';

/** How the files of a folder are listed: as its git repository would, if it is in one. */
export interface WorkTree {
  /** The top folder of the user's repository, or the folder itself. */
  readonly top: string;
  /** The folder's path in it, with `/` at the end; '' for the top itself. */
  readonly prefix: string;
  readonly isRepository: boolean;
  /** The user's global ignore file; undefined for git's default. */
  readonly excludesFile: string | undefined;
  /** Options that make git list files by these and all other rules. */
  readonly rules: readonly string[];
}

/** Finds the work tree of a folder. */
export async function findWorkTree(
  {folder}: Pick<SnapshotRepository, 'folder'>,
  signal: AbortSignal | undefined,
): Promise<WorkTree> {
  const [found, configured] = await Promise.all([
    mayBeInRepository(folder)
      ? readWithGit(folder, ['rev-parse', '--show-toplevel', '--git-path', 'info/exclude'], {signal})
      : NONE,
    readWithGit(folder, ['config', '--type=path', '--get', 'core.excludesFile'], {signal}),
  ]);
  for (const each of [found, configured])
    if (!each.ok && 'isBlocked' in each && each.isBlocked) throw new SnapshotProblem(each.problem);
  const [top = '', exclude = '', ...others] = found.ok ? found.stdout.toString('utf8').split('\n') : [];
  const excludesFile = configured.ok
    ? resolve(folder, top, configured.stdout.toString('utf8').trimEnd())
    : undefined;
  const inside = relative(top, folder);
  const isInside = top !== '' && others.length === 1 && inside !== '..' && !inside.startsWith('../');
  const isRepository = isInside && !(await isIgnored(top, inside));
  const rulesFile = resolve(folder, exclude);
  const isRead = isRepository && statIfAny(rulesFile)?.isFile() === true;
  const shared = {
    isRepository,
    excludesFile,
    rules: ['--exclude-standard', ...(isRead ? [`--exclude-from=${rulesFile}`] : [])],
  };
  // Seen from a folder above, which `core.worktree` can name, a repository is a nested one.
  if (!isRepository || isNested(top, inside)) return {top: folder, prefix: '', ...shared};
  return {top, prefix: inside === '' ? '' : `${inside}/`, ...shared};
}

/** No repository. */
const NONE = {ok: false, isMissing: false, problem: 'no repository'} as const;

/** False if git would find no repository. */
function mayBeInRepository(folder: string): boolean {
  if (process.env['GIT_DIR'] !== undefined) return true;
  for (let at = folder; ; at = dirname(at)) {
    if (lstatSync(join(at, '.git'), {throwIfNoEntry: false})) return true;
    if (at === dirname(at)) return false;
  }
}

/** True if a folder, or one between it and the top, is a repository of its own. */
function isNested(top: string, inside: string): boolean {
  const names = inside === '' ? [] : inside.split('/');
  return names.some((_, depth) => existsSync(join(top, ...names.slice(0, depth + 1), '.git')));
}

/** A folder that its repository ignores completely counts as a work tree by itself. */
async function isIgnored(top: string, inside: string): Promise<boolean> {
  return inside !== '' && (await readWithGit(top, ['check-ignore', '-q', '--', inside])).ok;
}
