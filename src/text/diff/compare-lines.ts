import {diffArrays} from 'diff';

/** Lines in both texts, followed by lines in only one. */
export interface Change {
  readonly same: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

interface Comparison {
  readonly changes: readonly Change[];
  /** True if a part was too different to compare: it counts as replaced completely. */
  readonly approximate: boolean;
}

/** Maximum number of edits, in which lines that are in both texts have moved: about a twentieth of a second. */
const MAX_EDITS = 1000;
/** The same in steps, for long texts. */
const MAX_STEPS = 4_000_000;

/** Compares lines: those at both ends are equal in most changes, and those in only one text are dropped first, as git does. Little is left to search then. */
export function compareLines(before: readonly string[], after: readonly string[]): Comparison {
  const ids = new Map<string, number>();
  const idOf = (line: string) => {
    const known = ids.get(line);
    if (known === undefined) ids.set(line, ids.size);
    return known ?? ids.size - 1;
  };
  const [old, now] = [before.map(idOf), after.map(idOf)];
  const search: Search = {old, now, pairs: []};
  const rest = withoutEnds(
    search,
    inBoth(search, withoutEnds(search, {old: [...old.keys()], now: [...now.keys()]})),
  );
  const isExact = matchShortest(search, rest);
  const pairs = search.pairs.toSorted(([one], [other]) => one - other);
  return {changes: changesOf(before, after, pairs), approximate: !isExact};
}

/** The places of a line in both texts. */
type Pair = readonly [old: number, now: number];

interface Search {
  /** Each line as a number, which is the same for equal lines. */
  readonly old: readonly number[];
  readonly now: readonly number[];
  /** The lines found in both texts. */
  readonly pairs: Pair[];
}

/** The places of the lines that are compared, ascending. */
type Part = Pick<Search, 'old' | 'now'>;

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
function inBoth({old: oldLines, now: newLines}: Search, {old, now}: Part): Part {
  const [before, after] = [new Set(old.map((at) => oldLines[at])), new Set(now.map((at) => newLines[at]))];
  return {
    old: old.filter((place) => after.has(oldLines[place])),
    now: now.filter((place) => before.has(newLines[place])),
  };
}

/** Pairs the lines of the shortest edit script (Myers); false if that would take too many steps. */
function matchShortest(search: Search, {old, now}: Part): boolean {
  const parts = diffArrays(
    old.map((place) => search.old[place]),
    now.map((place) => search.now[place]),
    {maxEditLength: Math.min(MAX_EDITS, Math.ceil(MAX_STEPS / (old.length + now.length + 1)))},
  );
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

function changesOf(before: readonly string[], after: readonly string[], pairs: readonly Pair[]): Change[] {
  const changes: Change[] = [];
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
