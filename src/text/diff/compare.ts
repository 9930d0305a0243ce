import {diffArrays} from 'diff';

/** Lines that both texts have, then lines that only one has. */
export interface Change {
  readonly same: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Steps that a comparison may take, about a quarter of a second: lines times edits. */
const BUDGET = 10_000_000;
const MIN_EDITS = 200;

/** The lines of a text, each with its end. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Compares lines. What differs too much to be compared in reasonable time counts as replaced as a whole. */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
): {changes: Change[]; approximate: boolean} {
  const start = commonStart(before, after);
  const end = commonEnd(before.slice(start), after.slice(start));
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  const maxEditLength = Math.max(MIN_EDITS, Math.floor(BUDGET / (removed.length + added.length + 1)));
  const compared =
    removed.length > 0 && added.length > 0 ? diffArrays(removed, added, {maxEditLength}) : undefined;
  const approximate = compared === undefined && removed.length > 0 && added.length > 0;
  const middle = compared ? grouped(compared) : [{same: [], removed, added}];
  const changes = [{same: before.slice(0, start), removed: [], added: []}, ...middle];
  if (end > 0) changes.push({same: before.slice(before.length - end), removed: [], added: []});
  return {changes, approximate};
}

function grouped(parts: readonly {value: string[]; added: boolean; removed: boolean}[]): Change[] {
  const changes: {same: string[]; removed: string[]; added: string[]}[] = [];
  for (const {value, added, removed} of parts) {
    const last = changes.at(-1);
    if ((added || removed) && last) last[added ? 'added' : 'removed'].push(...value);
    else
      changes.push({
        same: [],
        removed: [],
        added: [],
        [added ? 'added' : removed ? 'removed' : 'same']: value,
      });
  }
  return changes;
}

function commonStart(before: readonly string[], after: readonly string[]): number {
  let length = 0;
  while (length < before.length && length < after.length && before[length] === after[length]) length++;
  return length;
}

function commonEnd(before: readonly string[], after: readonly string[]): number {
  let length = 0;
  while (length < before.length && length < after.length && before.at(-1 - length) === after.at(-1 - length))
    length++;
  return length;
}
