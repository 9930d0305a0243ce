import {lstatSync, mkdirSync, type Dirent} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {readWithGit} from '../../git/git.ts';
import {contentIfAny, realPathOf} from './entries.ts';
import {addAll} from '../../text/lists.ts';

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
  if (!isGitFile(path)) return realPathOf(path);
  const [, named] = /^gitdir: ([^\r\n]+)/.exec(contentIfAny(path)) ?? [];
  return named === undefined ? undefined : realPathOf(resolve(dirname(path), named));
}

/** Where a git folder has its hooks and settings: a worktree's are those of its repository. */
export function commonFolderOf(git: string): string {
  const named = contentIfAny(join(git, 'commondir')).trim();
  return (named !== '' && realPathOf(resolve(git, named))) || git;
}

/** The work tree that a submodule's settings name. */
export function workTreeOf(git: string): string | undefined {
  const [, named] = /(?:^|\n)\s*worktree\s*=\s*"?([^"\r\n]+)/i.exec(contentIfAny(join(git, 'config'))) ?? [];
  return named === undefined ? undefined : realPathOf(resolve(git, named.trim()));
}

/**
 * Returns what the settings of each repository name, and the user's own: the folder of its hooks, and files that are included, also under a condition that does
 * not hold now. Nothing of a repository is run for it.
 */
export async function placesNamedByGit(
  repositories: ReadonlyMap<string, ReadonlySet<string>>,
  home: string,
): Promise<readonly string[]> {
  if (repositories.size === 0) return [];
  const ofUser = await filesOfUser();
  const users = await withIncluded(ofUser, home);
  const named = await Promise.all(
    [...repositories].map(async ([git, trees]) => {
      const own = await withIncluded(
        SETTINGS.map((name) => join(git, name)),
        home,
      );
      const hooks = [...users.settings, ...own.settings].filter(({key}) => key === 'core.hookspath');
      const folders = trees.size > 0 ? [...trees] : [git];
      const hooksFolders = hooks.flatMap(({value}) =>
        folders.map((each) => resolve(each, expanded(value, home))),
      );
      return hooksFolders.concat(own.included);
    }),
  );
  return [...new Set([...ofUser, ...users.included, ...named.flat()])];
}

function expanded(path: string, home: string): string {
  return path.replace(/^~(?=\/|$)/, home);
}

/** The user's own files of git's settings, and the system's. */
async function filesOfUser(): Promise<readonly string[]> {
  const printed = await Promise.all(
    ['--global', '--system'].map((scope) => valuesIn(['config', scope, '--show-origin', '-z', '--list'])),
  );
  const origins = printed.flatMap((each) => each ?? []).filter(({key}) => key.startsWith('file:'));
  return [...new Set(origins.map(({key}) => key.slice('file:'.length)))];
}

/** No repository includes so many. */
const MAX_INCLUDED = 100;

/** Returns the settings of files and of all files that they include, each by a path that is relative to the file that names it. */
async function withIncluded(
  files: readonly string[],
  home: string,
): Promise<{readonly settings: readonly GitSetting[]; readonly included: readonly string[]}> {
  const all = [...files];
  const settings: GitSetting[] = [];
  // It gets longer meanwhile.
  for (const file of all) {
    const text = contentIfAny(realPathOf(file) ?? file);
    // Most name neither, and git takes a few milliseconds.
    if (!/hookspath|include/i.test(text)) continue;
    const found = (await settingsOf(Buffer.from(text))) ?? [];
    addAll(settings, found);
    const paths = found
      .filter(({key}) => /^include(?:if\..*)?\.path$/.test(key))
      .map(({value}) => resolve(dirname(file), expanded(value, home)));
    addAll(all, new Set(paths.filter((path) => !all.includes(path)).slice(0, MAX_INCLUDED - all.length)));
  }
  return {settings, included: all.slice(files.length)};
}

/** Git's settings of a repository, by the names of their files. */
export const SETTINGS = ['config', 'config.worktree'] as const;

export interface GitSetting {
  /** In lower case, but for what is quoted. */
  readonly key: string;
  readonly value: string;
}

/** Returns the settings that a text of git's has; undefined if git cannot read it. */
export function settingsOf(text: Buffer): Promise<readonly GitSetting[] | undefined> {
  return valuesIn(['config', '--file', '-', '--no-includes', '-z', '--list'], text);
}

async function valuesIn(
  command: readonly ['config', ...string[]],
  input?: Buffer,
): Promise<readonly GitSetting[] | undefined> {
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
