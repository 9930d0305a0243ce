import {ERASE_LINE, moveDown, moveUp} from './scrollback.ts';

/** GNU screen moves rows that are removed at the first row into its scrollback. */
const FIRST_REMOVED = 1;

/**
 * Returns a sequence that turns `before`, which is on the screen, into `after`; both have to fit the screen with the row below them. Rows that only move are not
 * written again. If there are more rows than before, the terminal scrolls what is above them. Ink's own `incrementalRendering` knows only its frame, not the
 * lines printed above it.
 */
export function patchRows(
  before: readonly string[],
  after: readonly string[],
  {from, to}: {readonly from: number; readonly to: number},
): string {
  let sequence = '';
  let row = from;
  const move = (to: number) => {
    sequence += moveDown(to - row) || `${moveUp(row - to)}\r`;
    row = to;
  };
  const rows: (string | undefined)[] = [...before];
  const count = after.length - before.length;
  const tail = commonEnd(before, after);
  if (count > 0) {
    move(after.length);
    move(before.length - tail);
    sequence += `\x1b[${count}L`;
    // Inserted rows are empty, but in foot they show the pictures that were there until they are erased.
    rows.splice(row, 0, ...Array.from({length: count}, () => undefined));
  } else if (count < 0) {
    move(Math.max(FIRST_REMOVED, after.length - tail));
    sequence += `\x1b[${-count}M`;
    rows.splice(row, -count);
  }
  for (const [index, text] of after.entries()) {
    if (rows[index] === text) continue;
    move(index);
    sequence += ERASE_LINE + text;
  }
  move(to);
  return sequence;
}

/** Returns the number of rows at the end that are the same. */
function commonEnd(before: readonly string[], after: readonly string[]): number {
  let count = 0;
  while (count < Math.min(before.length, after.length) && before.at(-1 - count) === after.at(-1 - count))
    count++;
  return count;
}
