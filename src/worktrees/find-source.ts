import {existsSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {isWithin, realpathOrItself} from '../shared/files/folders.ts';
import {statIfAny} from '../shared/files/safe-files.ts';
import {git, WorktreeProblem} from './worktree-git.ts';

/** The working copy that a worktree is made from. */
export interface WorktreeSource {
  /** The top of the work tree, absolute. */
  readonly top: string;
  /** The session's folder in it, with `/` at the end; '' for the top. */
  readonly prefix: string;
  /** The git folder that all worktrees of the repository share. */
  readonly common: string;
  /** That of this working copy. */
  readonly gitDir: string;
  readonly head: string;
  /** Undefined for a detached HEAD. */
  readonly branch: string | undefined;
}

/** There is nothing that a worktree could be made from. */
export class NoSource extends WorktreeProblem {}

/** Finds the working copy that a folder is in; throws a WorktreeProblem if no worktree can be made from it. */
export async function findSource(folder: string): Promise<WorktreeSource> {
  if (['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name))))
    throw new NoSource('it is a bare repository, or the git folder of one');
  const printed = await git({folder}, [
    'rev-parse',
    '--path-format=absolute',
    '--show-toplevel',
    '--git-common-dir',
    '--git-dir',
    '--show-object-format',
    '--show-prefix',
  ]).catch(asReason);
  const [top = '', common = '', gitDir = '', format, prefix = '', ...others] = utf8(printed).split('\n');
  if (others.length !== 1) throw new WorktreeProblem('its path has a line break');
  // `core.worktree` can name any folder.
  if (
    !isWithin(realpathOrItself(folder), top) ||
    realpathOrItself(gitDirIn(top)) !== realpathOrItself(gitDir)
  )
    throw new WorktreeProblem('its repository has another folder as its work tree');
  if (format !== 'sha1')
    throw new WorktreeProblem(`its repository uses ${format}, which acp-tui does not support`);
  const head = await git({folder}, ['rev-parse', 'HEAD^{commit}', '--symbolic-full-name', 'HEAD']).catch(
    asReason,
  );
  const [commit = '', name = ''] = utf8(head).split('\n');
  const branch = /^refs\/heads\/(.+)$/.exec(name)?.[1];
  return {top: resolve(top), prefix, common: resolve(common), gitDir: resolve(gitDir), head: commit, branch};
}

/** Returns the git folder that a work tree names. */
export function gitDirIn(top: string): string {
  const at = join(top, '.git');
  if (statIfAny(at)?.isFile() !== true) return at;
  const [, named] = /^gitdir: ([^\r\n]+)/.exec(readFileSync(at, 'utf8')) ?? [];
  return named === undefined ? at : resolve(top, named);
}

function asReason(error: unknown): never {
  const problem = error instanceof WorktreeProblem ? error.message : String(error);
  // Other words follow if a file names a repository that is gone.
  if (/not a git repository \(or any/i.test(problem)) throw new NoSource('it is in no git repository');
  if (/unknown revision/i.test(problem)) throw new NoSource('its repository has no commits yet');
  if (/bare repository|must be run in a work tree/i.test(problem))
    throw new NoSource('it is a bare repository, or the git folder of one');
  throw new WorktreeProblem(problem.replace(/^fatal: /, ''));
}

/** Returns what git printed as text. */
export function utf8(printed: string): string {
  return Buffer.from(printed, 'latin1').toString('utf8');
}
