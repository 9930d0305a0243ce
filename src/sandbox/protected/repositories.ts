import {lstatSync, mkdirSync, type Dirent} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {readWithGit} from '../../files/git.ts';
import {contentIfAny, realOf} from './entries.ts';

/** What git accepts as a repository: gitrepository-layout(5). */
export function isRepository(entries: readonly Dirent[]): boolean {
  const names = new Set(entries.map(({name}) => name));
  return names.has('HEAD') && (names.has('commondir') || (names.has('objects') && names.has('refs')));
}

/** True for a file named `.git`, as a worktree and a submodule have it. */
export function isGitFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/** The git folder that a `.git` is, or names; undefined if there is none. */
export function gitFolderOf(path: string): string | undefined {
  if (!isGitFile(path)) return realOf(path);
  const [, named] = /^gitdir: ([^\r\n]+)/.exec(contentIfAny(path)) ?? [];
  return named === undefined ? undefined : realOf(resolve(dirname(path), named));
}

/** Where a git folder has its hooks and settings: a worktree's are those of its repository. */
export function commonFolderOf(git: string): string {
  const named = contentIfAny(join(git, 'commondir')).trim();
  return (named !== '' && realOf(resolve(git, named))) || git;
}

/** The work tree that a submodule's settings name. */
export function workTreeOf(git: string): string | undefined {
  const [, named] = /(?:^|\n)\s*worktree\s*=\s*"?([^"\r\n]+)/i.exec(contentIfAny(join(git, 'config'))) ?? [];
  return named === undefined ? undefined : realOf(resolve(git, named.trim()));
}

/**
 * Returns what the settings of each repository name: the folder of its hooks, also where the user's own settings name one for all, and files that they include.
 * Nothing of a repository is run for it.
 */
export async function placesNamedByGit(
  repositories: ReadonlyMap<string, ReadonlySet<string>>,
  home: string,
): Promise<readonly string[]> {
  if (repositories.size === 0) return [];
  const expanded = (path: string) => path.replace(/^~(?=\/|$)/, home);
  const ofUser = await Promise.all(
    ['--global', '--system'].map((scope) => valuesIn(['config', scope, '--includes', '-z', '--list'])),
  );
  const named = await Promise.all(
    [...repositories].map(async ([git, trees]) => {
      const own = await Promise.all(SETTINGS.map((name) => settingsIn(join(git, name))));
      const hooks = [...ofUser, ...own]
        .flatMap((each) => each ?? [])
        .filter(({key}) => key === 'core.hookspath');
      const included = own.flat().filter(({key}) => /^include(?:if\..*)?\.path$/.test(key));
      const folders = trees.size > 0 ? [...trees] : [git];
      const hooksFolders = hooks.flatMap(({value}) => folders.map((each) => resolve(each, expanded(value))));
      return hooksFolders.concat(included.map(({value}) => resolve(git, expanded(value))));
    }),
  );
  return [...new Set(named.flat())];
}

/** Git's settings of a repository, by the names of their files. */
export const SETTINGS = ['config', 'config.worktree'] as const;

export interface Setting {
  /** In lower case, but for what is quoted. */
  readonly key: string;
  readonly value: string;
}

async function settingsIn(file: string): Promise<readonly Setting[]> {
  // Most name neither, and git takes a few milliseconds.
  if (!/hookspath|include/i.test(contentIfAny(file))) return [];
  return (await valuesIn(['config', '--file', file, '--includes', '-z', '--list'])) ?? [];
}

/** Returns the settings that a text of git's has; undefined if git cannot read it. */
export function settingsOf(text: Buffer): Promise<readonly Setting[] | undefined> {
  return valuesIn(['config', '--file', '-', '-z', '--list'], text);
}

async function valuesIn(
  command: readonly ['config', ...string[]],
  input?: Buffer,
): Promise<readonly Setting[] | undefined> {
  const printed = await readWithGit('/', command, {input});
  if (!printed.ok) return undefined;
  return printed.stdout
    .toString('utf8')
    .split('\0')
    .filter((each) => each !== '')
    .map((each) => {
      const [key = '', ...value] = each.split('\n');
      return {key, value: value.join('\n')};
    });
}

/** Returns the hooks folder of a repository, which is made if there is none: git reads an empty one as none. */
export function hooksOf(git: string): string {
  const hooks = join(git, 'hooks');
  try {
    if (commonFolderOf(git) === git) mkdirSync(hooks, {recursive: true});
  } catch {
    // There is something else, or a link that leads nowhere.
  }
  return hooks;
}
