import type {Dirent} from 'node:fs';
import {join} from 'node:path';
import {isWithin} from '../../shared/files/folders.ts';
import type {SandboxPolicy} from '../policy.ts';
import {entriesOf, isFolder, realPathOf, shownAs} from './entries.ts';
import {commonFolderOf, gitFolderOf, isGitFile, isRepository, workTreeOf} from './repositories.ts';
import {addAll} from '../../text/lists.ts';

/** How many folders are searched, those nearest to the workspace's own first; a long list of files counts for several. */
const MAX_FOLDERS = 10_000;
/** With patterns of hidden files, none of which may be missed. */
const MAX_FOLDERS_FOR_HIDDEN = 20_000;
const ENTRIES_OF_A_FOLDER = 64;
/** Names of folders that are searched after all others. */
export const DEPENDENCIES: ReadonlySet<string> = new Set([
  'node_modules',
  '.venv',
  'venv',
  'target',
  'vendor',
  '__pycache__',
  '.cache',
]);

/** What a workspace has that something runs later, or that the user's patterns hide. */
export interface FoundPlaces {
  /** Paths of protected files, folders and links, the nearest ones first. */
  readonly found: readonly string[];
  /** Links to folders with protected files: what is in them is in `found`. */
  readonly links: readonly string[];
  /** Real paths. */
  readonly hidden: readonly string[];
  /** Git folders of repositories and submodules, real paths, each with its work trees. */
  readonly repositories: ReadonlyMap<string, ReadonlySet<string>>;
  /** `.git` files, which name a git folder. */
  readonly gitFiles: readonly string[];
  /** Folders that were not searched, nor what is in them: there are too many. */
  readonly unseen: readonly string[];
  readonly unseenDependencies: readonly string[];
}

interface Folder {
  readonly root: string;
  /** Real. */
  readonly path: string;
  /** From its root. */
  readonly shown: string;
  /** True inside of a protected folder: only its links matter. */
  readonly isInside?: boolean;
}

interface Searched {
  /** Real, as all that is writable. */
  readonly roots: readonly string[];
  /** Others that are searched, after them. */
  readonly folders: readonly string[];
  /** These among it. */
  readonly writable: readonly string[];
  /** Folders in them that are looked at in any case, but not what is in those. */
  readonly known: readonly string[];
}

/** Searches the roots, a piece at a time: whoever must not block waits in between. */
export function searchProtected(searched: Searched, policy: SandboxPolicy) {
  const repositories = createRepositories(searched.writable);
  const search = createSearch(searched, policy, repositories);
  const limit = policy.hiddenPatterns.length > 0 ? MAX_FOLDERS_FOR_HIDDEN : MAX_FOLDERS;
  const {later, found, links, hidden, gitFiles} = search;
  const unseen = new Set<string>();
  const unseenDependencies = new Set<string>();

  function* searchFrom(places: readonly string[], most: number): Generator<undefined, void> {
    const queue: Folder[] = places.map((root) => ({root, path: root, shown: ''}));
    const left = yield* worked(queue, most, (folder) => search.look(folder, queue));
    for (const {path} of left) unseen.add(path);
  }

  function lookAt(paths: readonly string[]): Generator<undefined, readonly Folder[]> {
    return worked(foldersAt(paths, searched), MAX_FOLDERS, (folder) => {
      // A link may have taken its place.
      if (realPathOf(folder.path) === folder.path) search.look(folder);
      return 1;
    });
  }

  function* finish(): Generator<undefined, FoundPlaces> {
    const left = yield* worked(later, MAX_FOLDERS, (folder) => search.look(folder, later));
    for (const {path} of left) unseenDependencies.add(path);
    later.length = 0;
    for (const path of yield* addModules(repositories)) unseen.add(path);
    return {
      found: [...found],
      links: [...links],
      hidden: [...hidden],
      gitFiles,
      repositories: repositories.all,
      unseen: [...unseen],
      unseenDependencies: [...unseenDependencies],
    };
  }

  return {
    *all(): Generator<undefined, FoundPlaces> {
      yield* lookAt(searched.known);
      yield* searchFrom(searched.roots, limit);
      yield* searchFrom(searched.folders, MAX_FOLDERS);
      return yield* finish();
    },
    /** Adds what is in these folders themselves, after `all`: nothing is searched again. */
    *more(paths: readonly string[]): Generator<undefined, FoundPlaces> {
      for (const {path} of yield* lookAt(paths)) unseen.add(path);
      return yield* finish();
    },
  };
}

function foldersAt(
  paths: readonly string[],
  {roots, folders}: Pick<Searched, 'roots' | 'folders'>,
): readonly Folder[] {
  return paths.flatMap((path) => {
    const root = [...roots, ...folders].find((each) => isWithin(path, each));
    return root === undefined ? [] : [{root, path, shown: path.slice(root.length)}];
  });
}

/** Searches without a pause. */
export function runToEnd<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const {done, value} = work.next();
    if (done) return value;
  }
}

/** Works on a list that gets longer meanwhile; returns what is left of it at the limit. `work` returns how much an item was. */
function* worked<T>(
  queue: readonly T[],
  limit: number,
  work: (item: T) => number,
): Generator<undefined, readonly T[]> {
  let left = limit;
  for (const [at, item] of queue.entries()) {
    if (left <= 0) return queue.slice(at);
    left -= work(item);
    yield;
  }
  return [];
}

function sizeOf(entries: readonly Dirent[]): number {
  return 1 + entries.length / ENTRIES_OF_A_FOLDER;
}

function createSearch(
  {roots, folders, writable}: Searched,
  {isProtected, isHiddenInRoot, hiddenPatterns}: SandboxPolicy,
  repositories: Repositories,
) {
  const hides = hiddenPatterns.length > 0;
  // What is searched by itself, or is the agent's own.
  const apart = new Set(writable);
  const found = new Set<string>();
  const links = new Set<string>();
  const hidden = new Set<string>();
  const gitFiles: string[] = [];
  const later: Folder[] = [];

  /** A folder behind a link that has what is protected there: `.vscode` for example. */
  function addLink({path, shown}: Folder): number {
    const real = realPathOf(path);
    if (real === undefined || !writable.some((place) => isWithin(real, place))) return 0;
    const entries = entriesOf(real);
    const inside = entries.filter(({name}) => isProtected(`${shown}/${name}`));
    if (inside.length > 0) links.add(path);
    for (const {name} of inside) found.add(`${real}/${name}`);
    return sizeOf(entries);
  }

  /** Without a queue, at nothing but the folder itself. */
  function look(folder: Folder, queue?: Folder[]): number {
    const {root, path, shown, isInside = false} = folder;
    const entries = entriesOf(path);
    let size = sizeOf(entries);
    const isOther = folders.includes(root);
    const isBare = !isInside && isRepository(entries);
    if (isBare) repositories.add(path, workTreeOf(path));
    for (const entry of entries) {
      // join takes longer than the rest of the search.
      const next = {root, path: `${path}/${entry.name}`, shown: `${shown}/${entry.name}`};
      if (isOther && apart.has(next.path)) continue;
      const isHidden = hides && !isOther && isHiddenInRoot(next.shown, root === roots[0]);
      if (isHidden) for (const shown of shownAs(entry, next.path, writable)) hidden.add(shown);
      if (isInside) {
        if (entry.isSymbolicLink()) found.add(next.path);
        else if (entry.isDirectory()) queue?.push({...next, isInside});
      } else if (entry.name === '.git') {
        if (isGitFile(next.path)) gitFiles.push(next.path);
        repositories.add(gitFolderOf(next.path), path);
      } else if (isProtected(next.shown)) {
        found.add(next.path);
        if (entry.isDirectory()) later.push({...next, isInside: true});
      } else if (entry.isSymbolicLink()) size += addLink(next);
      else if (queue && entry.isDirectory() && !isHidden && (!isBare || path === root))
        (DEPENDENCIES.has(entry.name) ? later : queue).push(next);
    }
    return size;
  }

  return {look, later, found, links, hidden, gitFiles};
}

/** Adds the submodules: the name of one may have slashes, and it may have submodules. Returns the folders that are too many. */
function* addModules(repositories: Repositories): Generator<undefined, readonly string[]> {
  const folders = [...repositories.all.keys()].map((git) => join(git, 'modules'));
  const seen = new Set<string>();
  return yield* worked(folders, MAX_FOLDERS, (named) => {
    const path = realPathOf(named);
    if (path === undefined || seen.has(path)) return 0;
    seen.add(path);
    const entries = entriesOf(path);
    const isModule = isRepository(entries);
    if (isModule) repositories.add(path, workTreeOf(path));
    const inner = entries.filter((entry) => !entry.isFile()).map(({name}) => name);
    addAll(
      folders,
      (isModule ? ['modules'] : inner).map((name) => join(path, name)),
    );
    return sizeOf(entries);
  });
}

type Repositories = ReturnType<typeof createRepositories>;

/** Collects the git folders in what is writable, with the common folder of each worktree. */
function createRepositories(writable: readonly string[]) {
  const all = new Map<string, Set<string>>();
  const put = (git: string, workTree: string | undefined) => {
    if (!writable.some((place) => isWithin(git, place)) || !isFolder(git)) return;
    const trees = all.get(git) ?? new Set();
    if (workTree !== undefined) trees.add(workTree);
    all.set(git, trees);
  };
  return {
    all,
    add(git: string | undefined, workTree: string | undefined): void {
      if (git === undefined) return;
      put(git, workTree);
      put(commonFolderOf(git), workTree);
    },
  };
}
