import {constants, existsSync} from 'node:fs';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  stat,
  symlink,
} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {openFolder} from '../host/files/folder.ts';
import {realpathOrItself} from '../shared/files/folders.ts';
import {matchesGlob, pathGlob} from '../shared/glob.ts';
import {codeOf} from '../shared/files/safe-files.ts';
import {bytesOf, textOf, type RawPath} from '../snapshots/repository.ts';
import {git, WorktreeProblem} from './worktree-git.ts';
import {utf8, type WorktreeSource} from './find-source.ts';
import {addAll} from '../text/lists.ts';

/** What a worktree got from its source. */
export interface CopiedFiles {
  /** Files that git does not track, and does not ignore. */
  readonly untracked: readonly RawPath[];
  /** Files that are not there because of a sparse checkout. */
  readonly skipped: ReadonlySet<RawPath>;
  readonly submodules: {readonly filled: readonly RawPath[]; readonly empty: readonly RawPath[]};
  /** Repositories inside of it that are no submodules: they are not copied. */
  readonly nested: readonly RawPath[];
}

interface Listed extends Omit<CopiedFiles, 'submodules'> {
  /** Files that git tracks, and folders of submodules. */
  readonly tracked: readonly RawPath[];
}

/**
 * Copies the files of a working copy as they are now, tracked and untracked ones. They are copied instead of checked out: no filter runs, a large file that git
 * stores elsewhere is complete, and uncommitted changes come along.
 */
export async function copyFiles(from: string, to: string): Promise<CopiedFiles> {
  const {tracked, ...listed} = await listFiles(from);
  const links = await copyAll(tracked, {from, to});
  await copyAll(listed.untracked, {from, to});
  const filled: RawPath[] = [];
  const empty: RawPath[] = [];
  for (const link of links) {
    const inner = {from: join(from, textOf(link)), to: join(to, textOf(link))};
    // Without its folder, git would count it as deleted.
    await mkdir(inner.to, {recursive: true});
    if (!existsSync(join(inner.from, '.git'))) {
      empty.push(link);
      continue;
    }
    filled.push(link);
    const {submodules} = await copyFiles(inner.from, inner.to);
    addAll(
      filled,
      submodules.filled.map((path) => `${link}/${path}`),
    );
    addAll(
      empty,
      submodules.empty.map((path) => `${link}/${path}`),
    );
  }
  return {...listed, submodules: {filled, empty}};
}

async function listFiles(folder: string): Promise<Listed> {
  const command = ['ls-files', '-z', '-t', '--cached', '--others', '--exclude-standard'] as const;
  const lines = (await git({folder}, command)).split('\0').slice(0, -1);
  const entries = lines.map((line) => ({tag: line.slice(0, 1), path: line.slice(2)}));
  if (entries.some(({tag}) => tag === 'M'))
    throw new WorktreeProblem('it has conflicts of a merge that are not resolved yet');
  const skipped = new Set(entries.filter(({tag}) => tag === 'S').map(({path}) => path));
  const present = entries.filter(({path}) => !skipped.has(path));
  const others = present.filter(({tag}) => tag === '?').map(({path}) => path);
  const tracked = present.filter(({tag}) => tag !== '?').map(({path}) => path);
  const untracked = others.filter((path) => !path.endsWith('/'));
  return {tracked, skipped, untracked, nested: others.filter((path) => path.endsWith('/'))};
}

interface Places {
  readonly from: string;
  readonly to: string;
}

/** Copies files, following no links. Returns those of the paths that are folders. */
async function copyAll(paths: readonly RawPath[], places: Places): Promise<readonly RawPath[]> {
  const folders = Map.groupBy(paths, (path) => path.slice(0, path.lastIndexOf('/') + 1));
  return (await eachOf([...folders], (inFolder) => copyFolder(inFolder, places))).flat();
}

/** Copies some files of a folder, whose path has `/` at the end; none if it is a link, or gone. */
async function copyFolder(
  [inside, paths]: readonly [RawPath, readonly RawPath[]],
  places: Places,
): Promise<readonly RawPath[]> {
  const kinds = await inBoth(inside, places, (from, to) =>
    eachOf(paths, (path) => {
      const name = path.slice(inside.length);
      return copyEntry(bytesOf(`${from}/`, name), bytesOf(`${to}/`, name));
    }),
  );
  return paths.filter((_, index) => kinds?.[index] === 'folder');
}

/** Opens a folder, whose path has `/` at the end, and creates and opens its copy; undefined if it is a link, or gone. What is exchanged for a link meanwhile is not followed. */
async function inBoth<Value>(
  inside: RawPath,
  places: Places,
  work: (from: string, to: string) => Promise<Value>,
): Promise<Value | undefined> {
  const names = inside
    .split('/')
    .slice(0, -1)
    .map((name) => bytesOf('', name));
  const from = await openFolder(places.from, names).catch(ifGone);
  if (!from) return undefined;
  try {
    const to = await openFolder(places.to, names, true);
    try {
      return await work(from.path, to.path);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** Copies a file with its permissions, or a link; nothing if it is gone, or is something else. */
async function copyEntry(from: Buffer, to: Buffer): Promise<'folder' | 'other'> {
  const stats = await lstat(from).catch(ifGone);
  if (stats?.isSymbolicLink()) {
    const target = await readlink(from, 'buffer').catch(ifGone);
    if (target) await symlink(target, to);
  } else if (stats?.isFile()) await copyRegularFile(from, to);
  return stats?.isDirectory() ? 'folder' : 'other';
}

/** Copies a file; nothing if a link or something else is there. */
async function copyRegularFile(from: string | Buffer, to: string | Buffer): Promise<void> {
  const {O_RDONLY, O_NOFOLLOW, O_NONBLOCK, COPYFILE_FICLONE} = constants;
  const handle = await open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(ifGone);
  try {
    if (!handle || !(await handle.stat()).isFile()) return;
    const same = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : from;
    await copyFile(same, to, COPYFILE_FICLONE);
  } finally {
    await handle?.close();
  }
}

function ifGone(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL'].includes(codeOf(error) ?? '')) throw error;
}

const AT_ONCE = 32;

async function eachOf<Item, Value>(
  items: readonly Item[],
  work: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const results: Value[] = [];
  const waiting = items.entries();
  const one = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({length: AT_ONCE}, one));
  return results;
}

/** Copies git's index of a working copy, with what is staged, and what it says of a sparse checkout. */
export async function copyIndex(source: Pick<WorktreeSource, 'gitDir'>, gitDir: string): Promise<void> {
  const shared = (await readdir(source.gitDir)).filter((name) => name.startsWith('sharedindex.'));
  await mkdir(join(gitDir, 'info'), {recursive: true});
  for (const name of ['index', ...shared, 'info/sparse-checkout']) {
    await copyRegularFile(join(source.gitDir, name), join(gitDir, name));
  }
}

/** Copies ignored files and folders, which `missingIgnored` returns. */
export async function copyIgnored(places: Places, paths: readonly string[]): Promise<void> {
  let left = outermost(paths).map(rawOf);
  while (left.length > 0) {
    const folders = await copyAll(left, places);
    left = (await eachOf(folders, (folder) => copyEmpty(folder, places))).flat();
  }
}

/**
 * Makes ignored folders that match the patterns, with links to what is in those of the source. They are no links themselves: git ignores them also by a pattern
 * that is for folders alone, and what a package manager adds or removes there is the worktree's own. Files that match are copied; what is `copied` anyway is left out.
 * Returns what was made.
 */
export async function linkIgnored(
  places: Places,
  patterns: readonly string[],
  copied: readonly string[],
): Promise<readonly string[]> {
  const made = outermost(await missingIgnored(places, patterns)).filter((path) => !copied.includes(path));
  const folders = await copyAll(made.map(rawOf), places);
  const without = new Set(copied.map(rawOf));
  await eachOf(folders, (folder) => linkFolder(folder, places, {linked: folders, without}));
  return made;
}

interface Linking {
  readonly linked: readonly RawPath[];
  readonly without: ReadonlySet<RawPath>;
}

/** Folders with links to packages of the repository, and to their programs. */
const OF_LINKS = /^(?:@|\.bin$)/;

/** A folder in it is linked as a whole, unless it is hidden: programs write into such ones, which are caches. */
async function linkFolder(folder: RawPath, places: Places, linking: Linking): Promise<void> {
  const inside = `${folder}/`;
  const ofLinks = await inBoth(inside, places, async (from, to) => {
    const entries = await readdir(from, {encoding: 'latin1', withFileTypes: true});
    await eachOf(entries, async (entry) => {
      const {name} = entry;
      if (linking.without.has(inside + name)) return;
      const [there, here] = [bytesOf(`${from}/`, name), bytesOf(`${to}/`, name)] as const;
      if (entry.isSymbolicLink()) await symlink(await targetOf(there, places, linking.linked), here);
      else if (entry.isFile()) await copyRegularFile(there, here);
      else if (entry.isDirectory() && !/^[.@]/.test(name))
        await symlink(bytesOf(`${places.from}/`, inside + name), here);
    });
    const folders = entries.filter((entry) => entry.isDirectory());
    return folders.filter(({name}) => OF_LINKS.test(name)).map(({name}) => inside + name);
  });
  await eachOf(ofLinks ?? [], (each) => linkFolder(each, places, linking));
}

/** Returns where the counterpart of a link leads: to the worktree's own file, unless that is in a linked folder or outside. */
async function targetOf(link: Buffer, {from, to}: Places, linked: readonly RawPath[]): Promise<Buffer> {
  const target = await realpath(link, 'buffer').catch(ifGone);
  if (!target) return readlink(link, 'buffer');
  const [path, top] = [`${target.toString('latin1')}/`, `${rawOf(from)}/`] as const;
  if (!path.startsWith(top)) return target;
  const inside = path.slice(top.length, -1);
  return linked.some((folder) => inside.startsWith(`${folder}/`)) ? target : bytesOf(`${to}/`, inside);
}

/** Returns the ignored files and folders that match the patterns and are not in the worktree yet: a name matches at any depth, a path is one from the top. */
export async function missingIgnored(
  {from, to}: Places,
  patterns: readonly string[],
): Promise<readonly string[]> {
  if (patterns.length === 0) return [];
  const printed = await git({folder: from}, [
    'ls-files',
    '-z',
    '--others',
    '--ignored',
    '--exclude-standard',
    '--directory',
    '--no-empty-directory',
  ]);
  const ignored = utf8(printed).split('\0').slice(0, -1);
  const globs = patterns.map((pattern) => {
    const path = pattern.replace(/^\.?\//, '').replace(/\/$/, '');
    return pathGlob(path.includes('/') ? `/${path}` : `/**/${path}`);
  });
  const listed = ignored
    .map((path) => path.replace(/\/$/, ''))
    .filter((path) => globs.some((glob) => matchesGlob(glob, `/${path}`)));
  const literal = patterns.filter(
    (path) =>
      ignored.some((folder) => folder.endsWith('/') && path.startsWith(folder)) && isThere(from, path),
  );
  return [...new Set([...listed, ...literal])].filter((path) => !existsSync(join(to, path)));
}

function rawOf(path: string): RawPath {
  return Buffer.from(path).toString('latin1');
}

/** Leaves out paths that are in others of them. */
export function outermost(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  const foldersOf = (path: string) => Array.from(path.matchAll(/\//g), ({index}) => path.slice(0, index));
  return paths.filter((path) => !foldersOf(path).some((folder) => all.has(folder)));
}

/** Copies a folder without what is in it, whose paths it returns; none if it is a link by now, or gone. */
async function copyEmpty(folder: RawPath, places: Places): Promise<readonly RawPath[]> {
  const inside = `${folder}/`;
  const names = await inBoth(inside, places, async (from, to) => {
    const {mode} = await stat(from);
    await chmod(to, (mode & 0o777) | 0o700);
    return readdir(from, {encoding: 'latin1'});
  });
  return names?.map((name) => `${inside}${name}`) ?? [];
}

/** False if it is gone, or if a link leads to it. */
function isThere(top: string, path: string): boolean {
  const folder = dirname(join(top, path));
  return existsSync(join(top, path)) && realpathOrItself(folder) === folder;
}
