import {diffArrays} from 'diff';

/** Lines in both texts, followed by lines in only one. */
export interface LineChange {
  readonly same: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

interface Comparison {
  readonly changes: readonly LineChange[];
  /** True if a part was too different to compare: it counts as replaced completely. */
  readonly approximate: boolean;
}

/** Maximum steps of comparisons, about a tenth of a second. */
const BUDGET = 4_000_000;
const MAX_EDITS = 600;
/** How often a part is divided further. */
const MAX_DEPTH = 20;

/** Compares lines. Takes linear time, apart from a limited number of steps. */
export function compareLines(before: readonly string[], after: readonly string[]): Comparison {
  if (before.length === 0 || after.length === 0)
    return {changes: changesOf(before, after, []), approximate: false};
  const ids = new Map<string, number>();
  const idOf = (line: string) => {
    const known = ids.get(line);
    if (known === undefined) ids.set(line, ids.size);
    return known ?? ids.size - 1;
  };
  const [old, now] = [before.map(idOf), after.map(idOf)];
  const search: Search = {
    old,
    now,
    seen: {old: new Int32Array(ids.size), now: new Int32Array(ids.size), round: 0},
    pairs: [],
    left: BUDGET,
    isApproximate: false,
  };
  match(search, {old: [...before.keys()], now: [...after.keys()]}, 0);
  const pairs = search.pairs.toSorted(([one], [other]) => one - other);
  return {changes: changesOf(before, after, pairs), approximate: search.isApproximate};
}

/** The places of a line in both texts. */
type Pair = readonly [old: number, now: number];

interface Search {
  /** Each line as a number, which is the same for equal lines. */
  readonly old: readonly number[];
  readonly now: readonly number[];
  /** The round in which a line was last on a side. */
  readonly seen: {readonly old: Int32Array; readonly now: Int32Array; round: number};
  /** The lines found in both texts. */
  readonly pairs: Pair[];
  /** Remaining steps. */
  left: number;
  isApproximate: boolean;
}

/** The places of the lines that are compared, ascending. */
interface Part {
  readonly old: readonly number[];
  readonly now: readonly number[];
}

/** Finds the lines in both sides of a part. Lines on one side only are dropped first, as git does: most changes leave nothing else to search. */
function match(search: Search, part: Part, depth: number): void {
  const {old, now} = withoutEnds(search, inBoth(search, withoutEnds(search, part)));
  if (old.length === 0 || now.length === 0) return;
  if (matchShortest(search, {old, now})) return;
  const anchors = depth < MAX_DEPTH ? anchorsOf(search, {old, now}) : [];
  if (anchors.length === 0) search.isApproximate = true;
  if (anchors.length === 0) return;
  let from: Pair = [0, 0];
  const ends: readonly Pair[] = [...anchors, [old.length, now.length]];
  for (const [oldEnd, nowEnd] of ends) {
    match(search, {old: old.slice(from[0], oldEnd), now: now.slice(from[1], nowEnd)}, depth + 1);
    from = [oldEnd, nowEnd];
  }
}

/** Pairs the equal lines at both ends, and returns what is between them. */
function withoutEnds({old: oldLines, now: newLines, pairs}: Search, {old, now}: Part): Part {
  const areEqual = (one: number, other: number) => oldLines[old[one] ?? -1] === newLines[now[other] ?? -1];
  const most = Math.min(old.length, now.length);
  const pair = (one: number, other: number) => pairs.push([old[one] ?? 0, now[other] ?? 0]);
  let start = 0;
  for (; start < most && areEqual(start, start); start++) pair(start, start);
  let end = 0;
  for (; end < most - start && areEqual(old.length - 1 - end, now.length - 1 - end); end++)
    pair(old.length - 1 - end, now.length - 1 - end);
  return {old: old.slice(start, old.length - end), now: now.slice(start, now.length - end)};
}

/** Returns the lines that are on both sides. */
function inBoth({old: oldLines, now: newLines, seen}: Search, {old, now}: Part): Part {
  const round = ++seen.round;
  for (const place of old) seen.old[oldLines[place] ?? 0] = round;
  for (const place of now) seen.now[newLines[place] ?? 0] = round;
  return {
    old: old.filter((place) => seen.now[oldLines[place] ?? 0] === round),
    now: now.filter((place) => seen.old[newLines[place] ?? 0] === round),
  };
}

/** Pairs the lines of the shortest edit script (Myers); false if that would take too many steps. */
function matchShortest(search: Search, {old, now}: Part): boolean {
  const size = old.length + now.length;
  const maxEditLength = Math.min(MAX_EDITS, Math.floor(search.left / size));
  const parts = diffArrays(
    old.map((place) => search.old[place]),
    now.map((place) => search.now[place]),
    {maxEditLength},
  );
  const edits =
    parts?.reduce((sum, {added, removed, count}) => sum + (added || removed ? count : 0), 0) ?? maxEditLength;
  search.left = Math.max(0, search.left - size - edits ** 2);
  if (parts === undefined) return false;
  let [one, other] = [0, 0];
  for (const {added, removed, count} of parts) {
    if (!added && !removed)
      for (let line = 0; line < count; line++)
        search.pairs.push([old[one + line] ?? 0, now[other + line] ?? 0]);
    if (!added) one += count;
    if (!removed) other += count;
  }
  return true;
}

/** Returns the most lines that are once on each side, in the same order on both (patience diff), as indexes into the part. */
function anchorsOf({old: oldLines, now: newLines}: Search, {old, now}: Part): readonly Pair[] {
  const oldOnce = once(old, oldLines);
  const nowOnce = once(now, newLines);
  /** The last anchor of the best sequence of each length, and what comes before each. */
  const ends: number[] = [];
  const candidates: {readonly pair: Pair; readonly before: number | undefined}[] = [];
  for (const [id, one] of oldOnce) {
    const other = nowOnce.get(id);
    if (other === undefined) continue;
    const length = lowerBound(ends, (end) => (candidates[end]?.pair[1] ?? 0) >= other);
    candidates.push({pair: [one, other], before: length === 0 ? undefined : ends[length - 1]});
    ends[length] = candidates.length - 1;
  }
  const anchors: Pair[] = [];
  for (let at = ends.at(-1); at !== undefined;) {
    const candidate = candidates[at];
    if (candidate) anchors.push(candidate.pair);
    at = candidate?.before;
  }
  return anchors.reverse();
}

/** Returns the index of each line that is there once, by its number, in order. */
function once(places: readonly number[], lines: readonly number[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const repeated = new Set<number>();
  for (const [index, place] of places.entries()) {
    const id = lines[place] ?? 0;
    if (found.has(id)) repeated.add(id);
    else found.set(id, index);
  }
  for (const id of repeated) found.delete(id);
  return found;
}

/** Returns the first index at which a test holds that holds from there on. */
function lowerBound(items: readonly number[], holds: (item: number) => boolean): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(items[middle] ?? 0)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function changesOf(
  before: readonly string[],
  after: readonly string[],
  pairs: readonly Pair[],
): LineChange[] {
  const changes: LineChange[] = [];
  let [same, old, now] = [0, 0, 0];
  for (const [oldEnd, nowEnd] of [...pairs, [before.length, after.length] as const]) {
    if (oldEnd > old || nowEnd > now || oldEnd === before.length) {
      changes.push({
        same: before.slice(same, old),
        removed: before.slice(old, oldEnd),
        added: after.slice(now, nowEnd),
      });
      same = oldEnd;
    }
    [old, now] = [oldEnd + 1, nowEnd + 1];
  }
  return changes;
}
