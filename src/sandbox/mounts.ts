import {existsSync, lstatSync, mkdirSync, realpathSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {isWithin} from '../shared/files/folders.ts';
import {parentsOf, type SandboxPolicy} from './policy.ts';
import {byDepth, contentOf, entriesOf, realPathOf} from './protected/entries.ts';
import {hooksOf, isGitFile, placesNamedByGit} from './protected/repositories.ts';
import {knownPlaces, type KnownPlaces, type PlacesStore} from './protected/known-places.ts';
import {runToEnd, searchProtected, type FoundPlaces} from './protected/search.ts';

/** Each mount takes longer than the one before. */
const MAX_HELD = 300;

/** What is writable, and what in it is not. A later mount covers an earlier one. */
export interface Workspace {
  readonly writable: readonly string[];
  /** Inside writable ones. They may be gone by the time they are mounted. */
  readonly readOnly: readonly string[];
  /** What the user's patterns hide. */
  readonly hidden: readonly string[];
  /** Folders that no command can move away, since something in them is read-only or hidden. */
  readonly pinned: readonly string[];
  /** What was found to be protected, whether a mount holds it or not. */
  readonly places: ProtectedPlaces;
  readonly known: KnownPlaces;
}

export interface ProtectedPlaces extends FoundPlaces {
  /** Real, as all that is writable. */
  readonly roots: readonly string[];
  /** Others that are searched. */
  readonly folders: readonly string[];
  readonly writable: readonly string[];
  /** What git's settings name: folders of hooks, and files with more settings. They may not exist. */
  readonly named: readonly string[];
  /** What no mount holds, since it is a link, or one of too many. */
  readonly unheld: readonly string[];
}

/** What is covered by nothing. */
export interface HiddenEntries {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** Writable ones inside these folders, and those that can be read. */
  readonly within: readonly string[];
  readonly visible: readonly string[];
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
export async function workspaceOf(policy: SandboxPolicy, store?: PlacesStore): Promise<Workspace> {
  const roots = existing(policy.roots);
  const elsewhere = roots.find((root) => !policy.roots.includes(root));
  if (elsewhere !== undefined)
    throw new Error(`a folder of the workspace was replaced by a link, which leads to ${elsewhere}`);
  const own = [...roots, ...existing(policy.writable)];
  const repositories = roots.flatMap((root) => repositoryOfWorktree(root, own));
  const writable = [...new Set([...own, ...repositories])];
  const folders = existing(policy.folders).filter((path) => !roots.some((root) => isWithin(path, root)));
  const known = knownPlaces([...roots, ...folders], store);
  const found = runToEnd(searchProtected({roots, folders, writable, known: known.folders()}, policy).all());
  known.note(found);
  const isUnseen = found.unseen.some((path) => roots.some((root) => isWithin(path, root)));
  if (policy.hiddenPatterns.length > 0 && isUnseen)
    throw new Error(`${roots.join(', ')} has too many folders to look for sandbox.hidden in all of them`);
  // At once: what is found now may be another one later.
  const protectedPaths = withReal(protectedIn(found, [...roots, ...folders]));
  const named = await placesNamedByGit(found.repositories, policy.home);
  const {held, unheld} = heldOf([...protectedPaths, ...withReal(named)], writable);
  const places = {
    ...found,
    roots,
    folders,
    writable,
    named,
    unheld: [...new Set([...unheld, ...found.links])],
  };
  const inner = writable.filter((path) => roots.some((root) => root !== path && isWithin(path, root)));
  const kept = [...inner, ...hiddenPaths(policy), ...held, ...places.hidden];
  const above = kept.flatMap((path) => parentsWithin(path, writable));
  const git = [...places.repositories.keys()];
  return {
    writable: byDepth(writable),
    readOnly: byDepth(held),
    hidden: places.hidden,
    pinned: byDepth([...new Set([...above, ...git])].filter((path) => !writable.includes(path))),
    places,
    known,
  };
}

/** Paths that may not exist. */
function protectedIn({found, repositories}: FoundPlaces, roots: readonly string[]): readonly string[] {
  const hooks = [...repositories.keys()].map(hooksOf);
  const linked = hooks.flatMap((folder) => entriesOf(folder).map(({name}) => join(folder, name)));
  return [...roots.map((root) => join(root, '.git')).filter(isGitFile), ...hooks, ...linked, ...found];
}

interface RealPath {
  readonly path: string;
  readonly real: string;
}

/** Those that exist: a link that leads nowhere is one, too. */
function withReal(paths: readonly string[]): readonly RealPath[] {
  return paths.flatMap((path) => {
    const real = realPathOf(path) ?? (isLink(path) ? '' : undefined);
    return real === undefined ? [] : [{path, real}];
  });
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Divides what is protected: a mount holds a file or folder that exists, and the one that a link leads to, but not the link. */
function heldOf(
  all: readonly RealPath[],
  writable: readonly string[],
): {readonly held: readonly string[]; readonly unheld: readonly string[]} {
  const isInside = (path: string) => writable.some((place) => isWithin(path, place));
  // What holds a place that has to be writable cannot be read-only.
  const mayHold = (path: string) => isInside(path) && !writable.some((place) => isWithin(place, path));
  const real = new Set(all.map((each) => each.real).filter(mayHold));
  const outer = [...real].filter((path) => !parentsOf(path).some((parent) => real.has(parent)));
  const held = outer.slice(0, MAX_HELD);
  const isHeld = (path: string) => held.some((place) => isWithin(path, place));
  const links = all.filter(({path, real: target}) => path !== target && isInside(path) && !isHeld(path));
  return {held, unheld: [...outer.slice(MAX_HELD), ...links.map(({path}) => path)]};
}

/** Looks up what exists of the hidden paths, for each command: more may exist by now. A replaced one only hides something else. */
export function findHidden(policy: SandboxPolicy, {writable, hidden}: Workspace): HiddenEntries {
  const all = [...hiddenPaths(policy), ...existing(hidden)].filter((path) => !writable.includes(path));
  const isFolder = (path: string) => statSync(path, {throwIfNoEntry: false})?.isDirectory() ?? false;
  const folders = all.filter(isFolder);
  const isInside = (path: string) => folders.some((folder) => isWithin(path, folder));
  return {
    folders: byDepth(folders),
    files: all.filter((path) => !isFolder(path)),
    within: writable.filter(isInside),
    visible: policy.visible.filter((path) => !folders.includes(path) && isInside(path)),
  };
}

/** Returns real paths: a mount at a link would be a mount at its target anyway. */
function existing(paths: readonly string[]): readonly string[] {
  // Most do not exist, and an error takes ten times as long.
  const found = paths.filter((path) => existsSync(path)).map(realPathOf);
  return [...new Set(found)].filter((path) => path !== undefined);
}

/** What exists of the hidden paths, as real ones. */
export function hiddenPaths({
  home,
  hidden,
  isHiddenName,
}: Pick<SandboxPolicy, 'home' | 'hidden' | 'isHiddenName'>): readonly string[] {
  const names = entriesOf(home).filter(({name}) => isHiddenName(name));
  return existing([...hidden, ...names.map(({name}) => join(home, name))]);
}

/**
 * The git folder that a worktree is a part of: `.git` of the worktree names `worktrees/<name>` in it, which names the worktree. No agent can have written the
 * latter if it is outside of all that is writable.
 */
function repositoryOfWorktree(root: string, writable: readonly string[]): readonly string[] {
  try {
    const file = join(root, '.git');
    const [, named = ''] = /^gitdir: ([^\r\n]+)/.exec(contentOf(file)) ?? [];
    const own = realpathSync.native(resolve(root, named));
    const common = dirname(dirname(own));
    const isPart = resolve(own, contentOf(join(own, 'commondir')).trim()) === common;
    const isNamed =
      realpathSync.native(resolve(own, contentOf(join(own, 'gitdir')).trim())) === realpathSync.native(file);
    const isTheirs = writable.some((path) => isWithin(own, path) || isWithin(path, common));
    return isPart && isNamed && !isTheirs && contentOf(join(common, 'HEAD')) !== '' ? [common] : [];
  } catch {
    return [];
  }
}

/** The folders between a path and the root that it is in. */
function parentsWithin(path: string, roots: readonly string[]): readonly string[] {
  return parentsOf(path).filter((parent) =>
    roots.some((root) => root !== parent && isWithin(dirname(parent), root)),
  );
}
