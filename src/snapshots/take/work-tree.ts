import {existsSync, lstatSync} from 'node:fs';
import {homedir} from 'node:os';
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
  /** The user's global ignore file; undefined for git's default. */
  readonly excludesFile: string | undefined;
  /** The index of the user's repository; undefined outside of one. */
  readonly userIndex: string | undefined;
  /** Options that make git list files by these and all other rules. */
  readonly rules: readonly string[];
}

/** Finds the work tree of a folder. */
export async function findWorkTree(
  {folder}: Pick<SnapshotRepository, 'folder'>,
  signal: AbortSignal | undefined,
): Promise<WorkTree> {
  const {top, prefix, excludesFile, repository} = await readSettings(folder, signal);
  const isRead = repository !== undefined && statIfAny(repository.excludeFile)?.isFile() === true;
  const rules = ['--exclude-standard', ...(isRead ? [`--exclude-from=${repository.excludeFile}`] : [])];
  return {top, prefix, excludesFile, rules, userIndex: repository?.userIndex};
}

/** What git says about a folder. */
interface Settings extends Pick<WorkTree, 'top' | 'prefix' | 'excludesFile'> {
  /** Undefined outside of a repository. */
  readonly repository: {readonly excludeFile: string; readonly userIndex: string} | undefined;
}

/** What git last said about folders, with the stamp of the files that it read for that. */
const known = new Map<string, {readonly stamp: string; readonly settings: Settings}>();

async function readSettings(folder: string, signal: AbortSignal | undefined): Promise<Settings> {
  const stamp = stampOf(settingsFiles(folder));
  const before = known.get(folder);
  if (before?.stamp === stamp) return before.settings;
  const isInRepository = mayBeInRepository(folder);
  const paths = ['--git-path', 'info/exclude', '--git-path', 'index'];
  const [found, configured] = await Promise.all([
    isInRepository ? readWithGit(folder, ['rev-parse', '--show-toplevel', ...paths], {signal}) : NONE,
    readWithGit(folder, ['config', '--type=path', '--default=', '--get', 'core.excludesFile'], {signal}),
  ]);
  for (const each of [found, configured])
    if (!each.ok && 'isBlocked' in each && each.isBlocked) throw new SnapshotProblem(each.problem);
  const [top = '', exclude = '', index = '', ...others] = found.ok
    ? found.stdout.toString('utf8').split('\n')
    : [];
  const excludes = configured.ok ? configured.stdout.toString('utf8').trimEnd() : '';
  const excludesFile = excludes === '' ? undefined : resolve(folder, top, excludes);
  const inside = relative(top, folder);
  const isInside = top !== '' && others.length === 1 && inside !== '..' && !inside.startsWith('../');
  const isCounted = isInside && !(await isIgnored(top, inside));
  const repository = isCounted
    ? {excludeFile: resolve(folder, exclude), userIndex: resolve(folder, index)}
    : undefined;
  // Seen from a folder above, which `core.worktree` can name, a repository is a nested one.
  const isAlone = !isCounted || isNested(top, inside);
  const place = isAlone ? {top: folder, prefix: ''} : {top, prefix: inside === '' ? '' : `${inside}/`};
  const settings = {...place, excludesFile, repository};
  // What failed is tried again.
  if (configured.ok && found.ok === isInRepository && !signal?.aborted) known.set(folder, {stamp, settings});
  return settings;
}

/** The files on which these depend. What they include, and what worktrees share, counts from the next start on. */
function settingsFiles(folder: string): readonly string[] {
  const {GIT_CONFIG_GLOBAL, XDG_CONFIG_HOME} = process.env;
  const own = [
    GIT_CONFIG_GLOBAL ?? join(homedir(), '.gitconfig'),
    join(XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'git', 'config'),
    '/etc/gitconfig',
  ];
  const names = ['.gitignore', '.git', '.git/config', '.git/config.worktree', '.git/info/exclude'];
  return [...own, ...foldersAbove(folder).flatMap((each) => names.map((name) => join(each, name)))];
}

/** Returns a text that differs once one of the files is changed, replaced, created or removed. */
export function stampOf(files: readonly string[]): string {
  const stamps = files.map((file) => {
    const stats = statIfAny(file);
    return [file, stats?.ino, stats?.size, stats?.mtimeMs, stats?.ctimeMs];
  });
  return JSON.stringify(stamps);
}

/** No repository. */
const NONE = {ok: false, isMissing: false, problem: 'no repository'} as const;

/** False if git would find no repository. */
function mayBeInRepository(folder: string): boolean {
  if (process.env['GIT_DIR'] !== undefined) return true;
  return foldersAbove(folder).some((each) => lstatSync(join(each, '.git'), {throwIfNoEntry: false}));
}

/** Returns a folder and all that it is in. */
function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
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
