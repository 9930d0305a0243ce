import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
  type Dirent,
  readFileSync,
} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {isWithin} from '../shared/folders.ts';
import {parentsOf, type SandboxPolicy} from './policy.ts';

/** How deep protected files are looked for inside the roots, and in how many folders at most. */
const DEPTH = 3;
const MAX_FOLDERS = 3000;
/** With patterns of hidden files, at any depth. */
const MAX_FOLDERS_FOR_HIDDEN = 20_000;
/** Folders of others, in which nothing is run later that is not run now. */
const NOT_SEARCHED = new Set([
  'node_modules',
  '.git',
  '.venv',
  'venv',
  'target',
  'vendor',
  '__pycache__',
  '.cache',
]);

/** What is writable, and what in it is not. A later mount covers an earlier one. */
export interface Workspace {
  readonly writable: readonly string[];
  /** Inside writable ones. They may be gone by the time they are mounted. */
  readonly readOnly: readonly string[];
  /** What the user's patterns hide. */
  readonly hidden: readonly string[];
  /** Folders that no command can move away, since something in them is read-only or hidden. */
  readonly pinned: readonly string[];
}

/** What is covered by nothing. */
export interface Hidden {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** Writable ones inside these folders. */
  readonly within: readonly string[];
}

/** Creates the agent's own state where it is missing, so that it can be mounted; a file is an empty JSON object. */
export function createState({created}: SandboxPolicy): void {
  for (const path of created) {
    if (existsSync(path.replace(/\/$/, ''))) continue;
    if (path.endsWith('/')) mkdirSync(path, {recursive: true, mode: 0o700});
    else writeFileSync(path, '{}\n', {mode: 0o600, flag: 'wx'});
  }
}

/**
 * Looks up what exists of a policy's writable and protected paths. To be called while nothing runs inside: then each of them is a mount in all that is started
 * later, and cannot be replaced by a link. Looked up for each command, a folder could be, between the look and the mount.
 */
export function workspaceOf(policy: SandboxPolicy): Workspace {
  const roots = existing(policy.roots);
  const own = [...roots, ...existing(policy.writable)];
  const repositories = roots.flatMap((root) => repositoryOfWorktree(root, own));
  const writable = [...new Set([...own, ...repositories])];
  const {found, hidden, pinned} = findProtected(roots, policy);
  const inner = writable.filter((path) => roots.some((root) => root !== path && isWithin(path, root)));
  const above = [...inner, ...hiddenPaths(policy)].flatMap((path) => parentsWithin(path, writable));
  return {
    writable: byDepth(writable),
    readOnly: byDepth(
      [...found, ...repositories.flatMap(hooksOf)].filter((path) => !writable.includes(path)),
    ),
    hidden,
    pinned: byDepth([...new Set([...pinned, ...above])].filter((path) => !writable.includes(path))),
  };
}

/** Looks up what exists of the hidden paths, for each command: more may exist by now. A replaced one only hides something else. */
export function hiddenOf(policy: SandboxPolicy, {writable, hidden}: Workspace): Hidden {
  const all = [...hiddenPaths(policy), ...existing(hidden)].filter((path) => !writable.includes(path));
  const isFolder = (path: string) => statSync(path, {throwIfNoEntry: false})?.isDirectory() ?? false;
  const folders = all.filter(isFolder);
  return {
    folders: byDepth(folders),
    files: all.filter((path) => !isFolder(path)),
    within: writable.filter((path) => folders.some((folder) => isWithin(path, folder))),
  };
}

/** Returns real paths: a mount at a link would be a mount at its target anyway. */
function existing(paths: readonly string[]): readonly string[] {
  const found = paths.flatMap((path) => {
    try {
      // Most do not exist, and an error takes ten times as long.
      return existsSync(path) ? [realpathSync.native(path)] : [];
    } catch {
      return [];
    }
  });
  return [...new Set(found)];
}

function hiddenPaths({home, hidden, isHiddenName}: SandboxPolicy): readonly string[] {
  const names = entriesOf(home).filter(({name}) => isHiddenName(name));
  return existing([...hidden, ...names.map(({name}) => join(home, name))]);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, {withFileTypes: true});
  } catch {
    return [];
  }
}

/** Throws if a workspace is too large to look for what the user's patterns hide. */
function findProtected(roots: readonly string[], policy: SandboxPolicy) {
  const {isProtected, isHiddenInRoot, hiddenPatterns} = policy;
  const hides = hiddenPatterns.length > 0;
  const found: string[] = [];
  const hidden: string[] = [];
  const pinned = new Set<string>();
  let left = hides ? MAX_FOLDERS_FOR_HIDDEN : MAX_FOLDERS;
  function add(path: string, to = found): void {
    to.push(path);
    for (const parent of parentsWithin(path, roots)) pinned.add(parent);
  }
  function search(root: string, folder: string, depth: number): void {
    if (left-- <= 0) {
      if (hides) throw new Error(`${root} has too many folders to look for sandboxHidden in all of them`);
      return;
    }
    for (const entry of entriesOf(folder)) {
      // join takes longer than the rest of the search.
      const path = `${folder}/${entry.name}`;
      const inRoot = path.slice(root.length);
      if (hides && isHiddenInRoot(inRoot, root === roots[0]))
        for (const real of shownAs(entry, path)) add(real, hidden);
      // A link cannot be mounted over; what it leads to is inside a root, and then found there, or not writable.
      else if (entry.isSymbolicLink()) continue;
      else if (entry.name === '.git' && entry.isDirectory()) for (const hooks of hooksOf(path)) add(hooks);
      else if (isProtected(inRoot)) add(path);
      else if (entry.isDirectory() && (hides || depth < DEPTH) && !NOT_SEARCHED.has(entry.name))
        search(root, path, depth + 1);
    }
  }
  for (const root of roots) search(root, root, 0);
  return {found, hidden, pinned: [...pinned]};
}

/** What a path shows: the file that a link leads to. A folder behind a link has a name of its own. */
function shownAs(entry: Dirent, path: string): readonly string[] {
  if (!entry.isSymbolicLink()) return [path];
  return statSync(path, {throwIfNoEntry: false})?.isFile() ? existing([path]) : [];
}

/** The hooks of a repository and of its submodules. Git reads an empty folder as none, and may lack one. */
function hooksOf(git: string): readonly string[] {
  const repositories = [git, ...entriesOf(join(git, 'modules')).map(({name}) => join(git, 'modules', name))];
  return repositories.flatMap((repository) => {
    if (!lstatSync(join(repository, 'HEAD'), {throwIfNoEntry: false})) return [];
    const hooks = join(repository, 'hooks');
    try {
      mkdirSync(hooks, {recursive: true});
      return lstatSync(hooks).isDirectory() ? [hooks] : [];
    } catch {
      return [];
    }
  });
}

/**
 * The git folder that a worktree is a part of: `.git` of the worktree names `worktrees/<name>` in it, which names the worktree. No agent can have written the
 * latter if it is outside of all that is writable.
 */
function repositoryOfWorktree(root: string, writable: readonly string[]): readonly string[] {
  try {
    const file = join(root, '.git');
    const [, named = ''] = /^gitdir: ([^\r\n]+)/.exec(contentOf(file)) ?? [];
    const own = realpathSync(resolve(root, named));
    const common = dirname(dirname(own));
    const isPart = resolve(own, contentOf(join(own, 'commondir')).trim()) === common;
    const isNamed = realpathSync(resolve(own, contentOf(join(own, 'gitdir')).trim())) === realpathSync(file);
    const isTheirs = writable.some((path) => isWithin(own, path) || isWithin(path, common));
    return isPart && isNamed && !isTheirs && contentOf(join(common, 'HEAD')) !== '' ? [common] : [];
  } catch {
    return [];
  }
}

/** Throws if it is not a file: reading a named pipe would not end. */
function contentOf(file: string): string {
  if (!lstatSync(file).isFile()) throw new Error(`${file} is no file`);
  return readFileSync(file, 'utf8');
}

/** The folders between a path and the root that it is in. */
function parentsWithin(path: string, roots: readonly string[]): readonly string[] {
  return parentsOf(path).filter((parent) =>
    roots.some((root) => root !== parent && isWithin(dirname(parent), root)),
  );
}

function byDepth(paths: readonly string[]): readonly string[] {
  const depth = (path: string) => path.split('/').length;
  return paths.toSorted((one, other) => depth(one) - depth(other));
}
