import {createHash} from 'node:crypto';
import {lstatSync, readlinkSync, type Stats} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {isWithin} from '../../shared/files/folders.ts';
import type {ProtectedPlaces} from '../mounts.ts';
import {bytesOf, entriesOf, realPathOf} from './entries.ts';
import {commonFolderOf, gitFolderOf, SETTINGS} from './repositories.ts';
import {addAll} from '../../text/lists.ts';

/** A protected file or link as it was at one time. */
export interface ProtectedItem {
  readonly kind: 'file' | 'link' | 'settings';
  /** Differs if anything of it does. */
  readonly id: string;
  /** The target of a link; undefined for what is too large to be kept. */
  readonly content: Buffer | undefined;
  readonly mode: number;
  /** As the file system says, in milliseconds since the epoch: no program can set it. */
  readonly changedAt: number;
  /** What a setting of git makes git write to, if that is no folder of the workspace. */
  readonly workTree?: string;
}

/** By path. */
export type ProtectedItems = ReadonlyMap<string, ProtectedItem>;

const MAX_BYTES = 1024 * 1024;
const MAX_ITEMS = 10_000;

/** What is said once they are. */
export const TOO_MANY = `there are more than ${MAX_ITEMS.toLocaleString('en')}, of which the others are not compared`;

/** True if there may be more that was not read. */
export function isFull(items: ProtectedItems): boolean {
  return items.size >= MAX_ITEMS;
}

/** Reads what no mount holds of what is protected, a piece at a time. */
export function* readItems(
  {found, repositories, named, gitFiles, writable}: Omit<ProtectedPlaces, 'unheld'>,
  isHeld: (path: string) => boolean,
): Generator<undefined, ProtectedItems> {
  const items = new Map<string, ProtectedItem>();
  const isOurs = (path: string) => writable.some((place) => isWithin(path, place));
  const waiting: string[] = [];

  function add(path: string, kind: 'file' | 'settings' = 'file'): void {
    if (items.has(path) || isFull(items) || !isOurs(path) || isHeld(path)) return;
    // A link may be in place of a folder on the way since it was found.
    if (!isOurs(realPathOf(dirname(path)) ?? '')) return;
    const stats = lstatSync(path, {throwIfNoEntry: false});
    if (stats?.isDirectory()) {
      for (const {name} of entriesOf(path)) if (!name.endsWith('.sample')) waiting.push(join(path, name));
    } else if (stats?.isSymbolicLink()) {
      items.set(path, linkAt(path, stats));
      const real = realPathOf(path);
      if (real !== undefined) waiting.push(real);
    } else if (stats?.isFile()) items.set(path, fileAt(path, kind, stats));
  }

  const isKnown = (git: string | undefined) =>
    git !== undefined && [...repositories.keys()].some((other) => other !== git && isWithin(git, other));
  addAll(waiting, [...found, ...named, ...gitFiles.filter((path) => !isKnown(gitFolderOf(path)))]);
  const settings = new Set<string>();
  for (const git of repositories.keys()) {
    const trees = entriesOf(join(git, 'worktrees')).map(({name}) => join(git, 'worktrees', name));
    for (const folder of [git, ...trees]) {
      for (const name of SETTINGS) settings.add(join(folder, name));
      const isOfWorktree =
        basename(dirname(folder)) === 'worktrees' && commonFolderOf(folder) === dirname(dirname(folder));
      // It would make git take hooks and settings from elsewhere.
      if (!isOfWorktree) waiting.push(join(folder, 'commondir'));
    }
    waiting.push(join(git, 'hooks'));
    yield;
  }
  // Settings come last: however many there are, the others are read. Links lead to more of both.
  let next = 0;
  function* addWaiting(): Generator<undefined, void> {
    for (; next < waiting.length; next++) {
      const path = waiting[next] ?? '';
      if (!settings.has(path)) attempt(() => add(path));
      yield;
    }
  }
  yield* addWaiting();
  for (const path of settings) {
    attempt(() => add(path, 'settings'));
    yield;
  }
  yield* addWaiting();
  return items;
}

function linkAt(path: string, {ctimeMs: changedAt}: Stats): ProtectedItem {
  const content = readlinkSync(path, 'buffer');
  return {kind: 'link', id: `link ${content.toString('hex')}`, content, mode: 0, changedAt};
}

function fileAt(path: string, kind: 'file' | 'settings', stats: Stats): ProtectedItem {
  const content = stats.size <= MAX_BYTES ? bytesOf(path) : undefined;
  const sum = content ? createHash('sha256').update(content).digest('hex') : `${stats.ino} ${stats.mtimeMs}`;
  const mode = stats.mode & 0o777;
  return {kind, id: `${kind} ${mode} ${sum}`, content, mode, changedAt: stats.ctimeMs};
}

/** It may be gone, or replaced, while it is read. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Then it is found the next time.
  }
}
