import {homedir} from 'node:os';
import {dirname, resolve} from 'node:path';
import {createScheduler} from '../../shared/scheduler.ts';
import {isWithin, realpathOrItself} from '../../shared/files/folders.ts';
import type {ProtectedPlaces} from '../mounts.ts';
import type {SandboxPolicy} from '../policy.ts';
import {isFull, readItems, TOO_MANY, type ProtectedItem, type ProtectedItems} from './items.ts';
import type {KnownPlaces} from './known-places.ts';
import {placesNamedByGit, settingsOf, type GitSetting} from './repositories.ts';
import {runToEnd, searchProtected} from './search.ts';
import {unprotectedNotices} from './unprotected.ts';

/** Something that runs later, and that no mount holds, is another one than before. */
interface ProtectedChange {
  /** Absolute. */
  readonly path: string;
  readonly does: 'created' | 'changed' | 'deleted';
  /** The settings of git that are new or different, for a file of them. */
  readonly settings?: readonly string[];
  /** What it is beside a text: a link, or with another mode. */
  readonly isAlso?: string;
  /** Texts of files, where they are known. */
  readonly before?: string;
  readonly after?: string;
}

/** What was found to be protected is compared with what it is after a turn. */
export interface ProtectedWatch {
  changes(): Promise<readonly ProtectedChange[]>;
  /** What was found last counts from now on. */
  keep(): void;
  /** What it compares with, and what no program can have changed: for the watch of a sandbox that takes the place of its own. */
  readonly basis: () => {readonly known: ProtectedItems; readonly isHeld: (path: string) => boolean};
  /** What was there, and the writable folder that it is in. */
  before(path: string): {readonly item: ProtectedItem | undefined; readonly root: string};
}

/** Settings of git that run nothing: git writes them while it works. */
const HARMLESS = new RegExp(
  `^(?:${[
    String.raw`branch\..*\.(?:remote|merge|rebase|pushremote|description)`,
    String.raw`remote\..*\.(?:url|fetch|pushurl|tagopt|prune|mirror)`,
    String.raw`submodule\.(?:active|.*\.(?:url|active|branch|ignore))`,
    String.raw`user\.(?:name|email)`,
    String.raw`core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|worktree|sparsecheckout|sparsecheckoutcone|autocrlf|eol)`,
    String.raw`extensions\..*`,
  ].join('|')})$`,
);

interface WatchOptions {
  /** A mount holds it, so that no program inside can have changed it. */
  readonly isHeld: (path: string) => boolean;
  readonly known: KnownPlaces;
  readonly onWarning?: ((text: string) => void) | undefined;
  /** What that one compares with is compared with again. */
  readonly earlier?: ProtectedWatch | undefined;
}

export async function watchProtected(
  policy: SandboxPolicy,
  places: ProtectedPlaces,
  {isHeld: isHeldNow, known: knownFolders, onWarning, earlier}: WatchOptions,
): Promise<ProtectedWatch> {
  const {roots, folders, writable} = places;
  let seen: Pick<ProtectedPlaces, 'unseen' | 'unseenDependencies'> = places;
  const before = earlier?.basis();
  const isHeld = (path: string) => isHeldNow(path) && before?.isHeld(path) !== false;
  let known = before?.known ?? (await withWorkTrees(runToEnd(readItems(places, isHeld)), places));
  let latest = known;
  const wasFull = isFull(known);
  if (wasFull)
    onWarning?.(`The sandbox compares only some of the files that something runs later: ${TOO_MANY}.`);
  const away = writable.filter((place) => ![...roots, ...folders].some((root) => isWithin(place, root)));
  const leadsAway = (path: string) => away.some((place) => isWithin(realpathOrItself(path), place));

  async function look(): Promise<ProtectedItems> {
    const pause = createScheduler();
    const found = await inPieces(
      searchProtected({roots, folders, writable, known: knownFolders.folders()}, policy),
      pause,
    );
    knownFolders.note(found);
    // Of what had too many before, it was said.
    const unseen = seen.unseen.length === 0 ? found.unseen : [];
    const unseenDependencies = seen.unseenDependencies.length === 0 ? found.unseenDependencies : [];
    for (const text of unprotectedNotices({roots, folders, unheld: [], unseen, unseenDependencies}))
      onWarning?.(text);
    seen = found;
    const named = [...places.named, ...(await placesNamedByGit(found.repositories, policy.home))];
    const items = await inPieces(readItems({...found, roots, folders, writable, named}, isHeld), pause);
    return withWorkTrees(items, {...found, writable});
  }

  return {
    async changes() {
      latest = await look();
      const paths = [...new Set([...known.keys(), ...latest.keys()])];
      const found: ProtectedChange[] = [];
      // One after the other: each may start git.
      for (const path of paths) {
        const change = await changeOf(path, known.get(path), latest.get(path), leadsAway);
        if (change) found.push(change);
      }
      const [path = '/'] = roots;
      if (isFull(latest) && !wasFull) found.push({path, does: 'changed', settings: [TOO_MANY]});
      return found;
    },
    keep: () => void (known = latest),
    basis: () => ({known, isHeld}),
    before: (path) => ({item: known.get(path), root: writable.find((place) => isWithin(path, place)) ?? '/'}),
  };
}

/** Adds to settings of git the folder that they make git write to, if that is outside of what is writable, or where git has its hooks: a link may lead there. */
async function withWorkTrees(
  items: ProtectedItems,
  {repositories, writable}: Pick<ProtectedPlaces, 'repositories' | 'writable'>,
): Promise<ProtectedItems> {
  const isHarmless = (tree: string) =>
    writable.some((place) => isWithin(tree, place)) &&
    ![...repositories.keys()].some((git) => isWithin(tree, git));
  const all = new Map(items);
  for (const [path, item] of items) {
    if (item.kind !== 'settings' || !item.content || !/worktree/i.test(item.content.toString())) continue;
    const found = (await settingsOf(item.content)) ?? [];
    const named = found.findLast(({key}) => key === 'core.worktree');
    const tree = named && realpathOrItself(resolve(dirname(path), named.value));
    if (!tree || isHarmless(tree)) continue;
    const workTree = `core.worktree = ${named.value}, which is ${tree}`;
    all.set(path, {...item, id: `${item.id} ${workTree}`, workTree});
  }
  return all;
}

async function inPieces<T>(
  work: Generator<undefined, T>,
  pause: () => Promise<void> | undefined,
): Promise<T> {
  for (;;) {
    const {done, value} = work.next();
    if (done) return value;
    await pause();
  }
}

async function changeOf(
  path: string,
  before: ProtectedItem | undefined,
  after: ProtectedItem | undefined,
  leadsAway: (path: string) => boolean,
): Promise<ProtectedChange | undefined> {
  if (before?.id === after?.id) return undefined;
  const does = before ? (after ? 'changed' : 'deleted') : 'created';
  const isAlso = after && kindOf(before, after);
  const texts = {
    ...(isAlso !== undefined && {isAlso}),
    ...(before?.content && {before: before.content.toString()}),
    ...(after?.content && after.kind !== 'link' && {after: after.content.toString()}),
  };
  // Git's settings may be deleted: it runs nothing then.
  if (!after && before?.kind === 'settings') return undefined;
  if (after?.kind !== 'settings') return {path, does, ...texts};
  const isHarmless = ({key, value}: GitSetting) => HARMLESS.test(key) && !leadsAway(namedBy(value, path));
  const settings = await newSettings(before, after, isHarmless);
  return settings.length === 0 ? undefined : {path, does, settings, ...texts};
}

/** Says what is new beside the text. A new file has no mode of its own unless it can be run. */
function kindOf(before: ProtectedItem | undefined, {kind, content, mode}: ProtectedItem): string | undefined {
  if (kind === 'link') return `a link to ${content?.toString()}`;
  const usual = before && before.kind !== 'link' ? before.mode : mode & ~0o111;
  return mode === usual ? undefined : `mode ${mode.toString(8)}`;
}

/** The file or folder that the value of a setting may name: what is fetched from a repository, and pushed to it, runs its hooks. */
function namedBy(value: string, settings: string): string {
  const path = value.replace(/^file:\/\//, '').replace(/^~(?=\/)/, homedir());
  return resolve(dirname(dirname(settings)), path);
}

/** Returns the settings that may run something and are new, as `name = value`. */
async function newSettings(
  before: ProtectedItem | undefined,
  after: ProtectedItem,
  isHarmless: (setting: GitSetting) => boolean,
): Promise<readonly string[]> {
  const now = after.content && (await settingsOf(after.content));
  if (!now) return ['git cannot read them'];
  const text = ({key, value}: GitSetting) => `${key} = ${value}`;
  const old = new Set(before?.content ? (await settingsOf(before.content))?.map(text) : []);
  const added = now
    .filter((each) => !isHarmless(each))
    .map(text)
    .filter((each) => !old.has(each));
  const {workTree} = after;
  return workTree === undefined || workTree === before?.workTree ? added : [...added, workTree];
}
