import * as fuzzysort from 'fuzzysort';
import {sanitizeLine} from '../text/sanitize.ts';
import {rateBySegments} from './path-segments.ts';
import {createScheduler} from '../shared/scheduler.ts';

/** A matching entry; a higher score is better. */
export interface PathMatch {
  readonly path: string;
  readonly score: number;
}

interface SearchOptions {
  /** Aborting stops the search, which then returns the results so far. */
  readonly signal?: AbortSignal | undefined;
  /** Called once with the results so far, if a search takes longer than a frame; files whose names start with the query come first. */
  readonly onEarly?: ((hits: readonly PathMatch[]) => void) | undefined;
}

/** A searchable list of entries. */
export interface Searchable {
  readonly entries: readonly string[];
  search(query: string, options?: SearchOptions): Promise<readonly PathMatch[]>;
  /** Prepares the first search in advance. */
  warm(): Promise<void>;
}

/** Number of entries that can be prepared within some milliseconds. */
const PER_PIECE = 1000;
const MAX_HITS = 50;
/** Number of equally good matches that are put in order. */
const MAX_EQUAL = 1000;
/** The minimum similarity of a path to the query, from 0 to 1: `pkgjson` and `package.json` have 0.29. */
export const RESEMBLANCE = 0.25;
/** Queries this short match almost everything, so names that start with them are enough, if there are enough. */
const SHORT = 3;
/** Longer than a short query, and with letters that occur in most paths. */
const WARMING = 'esrt';
/** Time after which early results are shown, in milliseconds of a frame's 16. */
const EARLY_MS = 10;

/** Makes entries searchable; the cost is due with the first search. */
export function createSearchable(entries: readonly string[]): Searchable {
  const pieces = piecesOf(entries);

  async function search(query: string, options: SearchOptions = {}): Promise<readonly PathMatch[]> {
    if (query === '' || (query.endsWith('/') && entries.includes(query))) return folderHits(entries, query);
    // Of a name, or of a path's last segment.
    const initial = query.charAt(query.lastIndexOf('/') + 1).toLowerCase();
    const likely = pieces.get(initial) ?? [];
    const others = [...pieces].flatMap(([other, part]) => (other === initial ? [] : part));
    return searchIn([likely, others], query, options);
  }
  const warm = async () => void (await searchIn([...pieces.values()], WARMING, {}));
  return {entries, search, warm};
}

/** Part of the entries; what a search of names needs is prepared on first use. */
interface Piece {
  readonly entries: readonly string[];
  readonly names: () => fuzzysort.Snapshot;
}
type Pieces = ReadonlyMap<string, readonly Piece[]>;

/** Entries in pieces, by the first letters of their names. */
function piecesOf(entries: readonly string[]): Pieces {
  const groups = Map.groupBy(entries, (entry) =>
    entry.charAt(entry.lastIndexOf('/', entry.length - 2) + 1).toLowerCase(),
  );
  return new Map(
    [...groups].map(([initial, group]) => [
      initial,
      Array.from({length: Math.ceil(group.length / PER_PIECE)}, (_piece, index) =>
        pieceOf(group.slice(index * PER_PIECE, (index + 1) * PER_PIECE)),
      ),
    ]),
  );
}

/** A snapshot prepares itself for some milliseconds per turn of the event loop: many at once would block everything else. */
function pieceOf(entries: readonly string[]): Piece {
  let made: fuzzysort.Snapshot | undefined;
  return {entries, names: () => (made ??= fuzzysort.snapshot(entries))};
}

/** With a `/`, its segments have to match; otherwise the letters may be anywhere in the path. */
function matcherOf(query: string): (piece: Piece) => readonly PathMatch[] {
  if (!query.includes('/'))
    return ({names}) =>
      fuzzysort
        .go(query, names(), {threshold: RESEMBLANCE, limit: PER_PIECE})
        .map(({target, score}) => ({path: target, score}));
  const rate = rateBySegments(query);
  return ({entries}) =>
    entries.flatMap((path) => {
      const score = rate(path);
      return score === undefined ? [] : {path, score};
    });
}

async function searchIn(
  groups: readonly (readonly Piece[])[],
  query: string,
  {signal, onEarly}: SearchOptions,
): Promise<readonly PathMatch[]> {
  const pause = createScheduler();
  const started = performance.now();
  const match = matcherOf(query);
  let early = onEarly;
  let hits: readonly PathMatch[] = [];
  for (const group of groups) {
    for (const piece of group) {
      if (hits.length > 0 && performance.now() - started > EARLY_MS) {
        early?.(bestHits(hits));
        early = undefined;
      }
      await pause();
      if (signal?.aborted) return bestHits(hits);
      hits = contenders([...hits, ...match(piece)]);
    }
    if (query.length <= SHORT && hits.length >= MAX_HITS) break;
  }
  return bestHits(hits);
}

/** Returns the best matches; among equal ones, shorter paths first, then in natural order. */
export function bestHits(hits: readonly PathMatch[]): readonly PathMatch[] {
  return contenders(hits)
    .toSorted((one, other) => byScore(one, other) || naturally(one.path, other.path))
    .slice(0, MAX_HITS);
}

/** Returns the best matches, with those that are as good as the last of them. */
function contenders(hits: readonly PathMatch[]): readonly PathMatch[] {
  const sorted = hits.toSorted(byScore);
  const last = sorted[MAX_HITS - 1];
  return last === undefined
    ? sorted
    : sorted.slice(0, MAX_EQUAL).filter((hit, index) => index < MAX_HITS || byScore(hit, last) === 0);
}

function byScore(one: PathMatch, other: PathMatch): number {
  return other.score - one.score || one.path.length - other.path.length;
}

/** `comp2` before `comp10`. */
const {compare: naturally} = new Intl.Collator('en', {numeric: true});

/** Returns a folder that is typed completely, and its contents. */
function folderHits(entries: readonly string[], folder: string): readonly PathMatch[] {
  const listed = childrenOf(entries, folder);
  return (folder === '' ? listed : [folder, ...listed])
    .slice(0, 4 * MAX_HITS)
    .map((path) => ({path, score: 1}));
}

const ENTRIES_PER_SLICE = 2000;

/** Returns files and their folders, which end in `/`. Leaves out names that are invalid in a prompt (with control or deceptive characters, or quotes). */
export async function entriesOf(files: readonly string[]): Promise<readonly string[]> {
  const pause = createScheduler();
  const folders = new Set<string>();
  const kept: string[] = [];
  for (const [index, file] of files.entries()) {
    if (index % ENTRIES_PER_SLICE === 0) await pause();
    if (!isMentionable(file)) continue;
    kept.push(file);
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders, ...kept];
}

/** True for a name that needs no quoting and fits on one line. */
export function isMentionable(name: string): boolean {
  if (/^[\w./@+=,~-]+$/.test(name)) return true;
  return !name.includes('"') && sanitizeLine(name) === name;
}

/** Returns the direct contents of a folder (`''` for the root), folders first, sorted by name. */
function childrenOf(entries: readonly string[], folder: string): readonly string[] {
  const children = entries.filter((entry) => {
    if (!entry.startsWith(folder) || entry.length === folder.length) return false;
    const end = entry.indexOf('/', folder.length);
    return end === -1 || end === entry.length - 1;
  });
  return children.sort(byFolderAndName);
}

export function byFolderAndName(one: string, other: string): number {
  const folders = Number(other.endsWith('/')) - Number(one.endsWith('/'));
  return folders !== 0 ? folders : naturally(one, other);
}
