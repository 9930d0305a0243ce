import {homedir} from 'node:os';
import {dirname, resolve} from 'node:path';
import {createScheduler} from '../../shared/scheduler.ts';
import {isWithin, realpathOrItself} from '../../shared/files/folders.ts';
import type {ProtectedPlaces} from '../mounts.ts';
import {parentsOf, type SandboxPolicy} from '../policy.ts';
import {isFull, readItems, TOO_MANY, type ProtectedItem, type ProtectedItems} from './items.ts';
import type {KnownPlaces} from './known-places.ts';
import {placesNamedByGit, settingsOf, type GitSetting} from './repositories.ts';
import {runToEnd, searchProtected, type FoundPlaces} from './search.ts';
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

/** Files that may have changed, by path; true for those that were not there before. Undefined if that is not known. */
type ChangedFiles = () => Promise<ReadonlyMap<string, boolean> | undefined> | undefined;

/** What was found to be protected is compared with what it is after a turn. */
export interface ProtectedWatch {
  /** What changed is looked at in any case, however many folders there are. */
  changes(changedFiles?: ChangedFiles): Promise<readonly ProtectedChange[]>;
  /** What was found last counts from now on. */
  keep(): void;
  /** What it compares with, and what no program can have changed: for the watch of a sandbox that takes the place of its own. */
  readonly basis: () => {readonly basis: Basis; readonly isHeld: (path: string) => boolean};
  /** What was there, and the writable folder that it is in; throws if that is not known. */
  before(path: string): {readonly item: ProtectedItem | undefined; readonly root: string};
}

/** What is compared with. */
interface Basis {
  readonly items: ProtectedItems;
  /** Folders that were not searched: more may have been in them. */
  readonly unseen: ReadonlySet<string>;
  /** True if they are only those of dependencies. */
  readonly isWhole: boolean;
  /** When it was looked at, in milliseconds since the epoch. */
  readonly at: number;
}

const UNKNOWN = 'it is not known what it was before';

/** What is said once there are. */
const TOO_MANY_FOLDERS =
  'there are too many folders now: of what is furthest down and ignored by git, it is not known what was written';

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
  const searched = {roots, folders, writable};
  let seen: FoundPlaces = places;
  const before = earlier?.basis();
  const isHeld = (path: string) => isHeldNow(path) && before?.isHeld(path) !== false;
  let basis: Basis = before?.basis ?? {
    ...areaOf(places),
    at: Date.now(),
    items: await withWorkTrees(runToEnd(readItems(places, isHeld)), places),
  };
  let latest = basis;
  let unknown: ReadonlySet<string> = new Set();
  if (isFull(basis.items))
    onWarning?.(`The sandbox compares only some of the files that something runs later: ${TOO_MANY}.`);
  const away = writable.filter((place) => ![...roots, ...folders].some((root) => isWithin(place, root)));
  const leadsAway = (path: string) => away.some((place) => isWithin(realpathOrItself(path), place));

  /** The folders of what has changed, those where it may be protected first. */
  function foldersOf(changed: ReadonlyMap<string, boolean>): readonly string[] {
    const isFirst = (path: string) => path.endsWith('/') || policy.isProtected(path);
    const paths = [...changed.keys()];
    return [...new Set([...paths.filter(isFirst), ...paths].map((path) => path.replace(/\/[^/]*$/, '')))];
  }

  async function read(pause: Pause, found: FoundPlaces): Promise<ProtectedItems> {
    knownFolders.note(found);
    // Of what had too many before, it was said, and of the others you are asked.
    const unseenDependencies = seen.unseenDependencies.length === 0 ? found.unseenDependencies : [];
    for (const text of unprotectedNotices({...searched, unheld: [], unseen: [], unseenDependencies}))
      onWarning?.(text);
    seen = found;
    const named = [...places.named, ...(await placesNamedByGit(found.repositories, policy.home))];
    const items = await inPieces(readItems({...found, ...searched, named}, isHeld), pause);
    return withWorkTrees(items, {...found, writable});
  }

  return {
    async changes(changedFiles) {
      const at = Date.now();
      const pause = createScheduler();
      const search = searchProtected({...searched, known: knownFolders.folders()}, policy);
      const searchedNow = await inPieces(search.all(), pause);
      const isAll = areaOf(searchedNow).unseen.size === 0;
      const changed = (isAll ? undefined : await changedFiles?.()) ?? new Map<string, boolean>();
      const isMore = changed.size > 0;
      const found = isMore ? await inPieces(search.more(foldersOf(changed)), pause) : searchedNow;
      const items = await read(pause, found);
      latest = {...areaOf(found), at, items};
      ({basis, unknown} = withUnchanged(basis, items, changed));
      return changesBetween(basis, latest, {unknown, leadsAway, root: roots[0] ?? '/'});
    },
    keep: () => void (basis = latest),
    basis: () => ({basis, isHeld}),
    before(path) {
      if (unknown.has(path)) throw new Error(UNKNOWN);
      return {item: basis.items.get(path), root: writable.find((place) => isWithin(path, place)) ?? '/'};
    },
  };
}

/** File systems keep times in steps of up to two seconds. */
const TIME_STEP_MS = 2000;

type Pause = ReturnType<typeof createScheduler>;

function areaOf({unseen, unseenDependencies}: FoundPlaces): Pick<Basis, 'unseen' | 'isWhole'> {
  return {unseen: new Set([...unseen, ...unseenDependencies]), isWhole: unseen.length === 0};
}

/** Adds what was not searched before, and has not changed since. Of what has, it is unknown what it was, unless a snapshot shows that it was not there. */
function withUnchanged(
  basis: Basis,
  latest: ProtectedItems,
  changed: ReadonlyMap<string, boolean>,
): {readonly basis: Basis; readonly unknown: ReadonlySet<string>} {
  const items = new Map(basis.items);
  const unknown = new Set<string>();
  for (const [path, item] of latest) {
    const isFirst = !items.has(path) && parentsOf(path).some((parent) => basis.unseen.has(parent));
    if (!isFirst || changed.get(path) === true) continue;
    if (item.changedAt < basis.at - TIME_STEP_MS) items.set(path, item);
    else unknown.add(path);
  }
  return {basis: {...basis, items}, unknown};
}

interface Comparing {
  readonly unknown: ReadonlySet<string>;
  readonly leadsAway: (path: string) => boolean;
  readonly root: string;
}

async function changesBetween(
  {items: known, isWhole}: Basis,
  latest: Basis,
  {unknown, leadsAway, root}: Comparing,
): Promise<readonly ProtectedChange[]> {
  const found: ProtectedChange[] = [];
  // One after the other: each may start git.
  for (const path of new Set([...known.keys(), ...latest.items.keys()])) {
    const change = await changeOf(path, known.get(path), latest.items.get(path), leadsAway);
    const isAlso = [change?.isAlso, UNKNOWN].filter((each) => each !== undefined).join(', ');
    if (change) found.push(unknown.has(path) ? {...change, does: 'changed', isAlso} : change);
  }
  const more = [
    ...(isFull(latest.items) && !isFull(known) ? [TOO_MANY] : []),
    ...(isWhole && !latest.isWhole ? [TOO_MANY_FOLDERS] : []),
  ];
  return more.length === 0 ? found : [...found, {path: root, does: 'changed', settings: more}];
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
