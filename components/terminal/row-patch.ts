import {carryStyles, STYLE_AT, stripStyles} from '../../src/text/ansi.ts';
import {hasSimpleGraphemes, isSimple, simpleWidth} from '../../src/text/simple-text.ts';
import {moveDown, moveUp} from './scrollback.ts';
import {width} from '../../src/text/width.ts';

/** GNU screen moves rows that are removed at the first row into its scrollback. */
const FIRST_REMOVED = 1;
const ERASE_LINE = '\x1b[K';

/**
 * Returns a short sequence that turns `before`, which is on the screen, into `after`; both have to fit the screen with the row below them. Rows that only move
 * are not written again. If there are more rows than before, the terminal scrolls what is above them.
 */
export function patchRows(
  before: readonly string[],
  after: readonly string[],
  {from, to}: {readonly from: number; readonly to: number},
): string {
  const pen = createPen(from);
  const rows: (string | undefined)[] = [...before];
  if (after.length > before.length) pen.scroll(before.length, after.length - before.length);
  for (const {at, count} of movesBetween(before, after)) {
    pen.move(at);
    pen.write(`\x1b[${Math.abs(count)}${count > 0 ? 'L' : 'M'}`);
    // Inserted rows are empty, but in foot they show the pictures that were there until they are erased.
    if (count > 0) rows.splice(at, 0, ...Array.from({length: count}, () => undefined));
    else rows.splice(at, -count);
  }
  for (const [index, text] of after.entries()) {
    const shown = rows[index];
    if (shown === text) continue;
    pen.move(index);
    pen.write(patchRow(shown ?? '', text));
  }
  pen.move(to);
  return pen.sequence();
}

/** Writes rows and remembers where the cursor is. */
function createPen(start: number) {
  let sequence = '';
  let row = start;
  const move = (to: number) => {
    const steps = to - row;
    row = to;
    sequence += moveDown(steps) || `${moveUp(-steps)}\r`;
  };
  return {
    /** Moves to the start of a row. */
    move,
    write: (text: string) => void (sequence += text),
    /** Makes room for so many rows below the last one. */
    scroll(last: number, count: number) {
      move(last);
      sequence += '\n'.repeat(count);
      row += count;
    },
    sequence: () => sequence,
  };
}

/** Returns the moves after which most rows are in their places. */
function movesBetween(
  before: readonly string[],
  after: readonly string[],
): readonly {readonly at: number; readonly count: number}[] {
  const count = after.length - before.length;
  if (count > 0) return [{at: gapIn(after, before), count}];
  if (count < 0) return [{at: Math.max(FIRST_REMOVED, gapIn(before, after)), count}];
  const head = Math.max(
    FIRST_REMOVED,
    before.findIndex((row, index) => row !== after[index]),
  );
  const {shift, count: moved} = shiftBetween(before.slice(head), after.slice(head));
  if (shift === 0) return [];
  const end = head + moved;
  // The row below those often was the last, and has become longer.
  const last = before[end + shift] ?? '';
  const isContinued = last !== '' && after[end]?.startsWith(last) === true;
  return [
    {at: head, count: -shift},
    {at: isContinued ? end + 1 : end, count: shift},
  ];
}

/** Returns where the rows are that the longer of both has more, so that as much as possible is the same in the rest. */
function gapIn(longer: readonly string[], shorter: readonly string[]): number {
  const count = longer.length - shorter.length;
  let gap = shorter.length;
  let same = 0;
  let most = 0;
  for (const [row, text] of [...shorter.entries()].reverse()) {
    if (text === longer[row + count]) same += text.length;
    if (text === longer[row]) same -= text.length;
    if (same <= most) continue;
    most = same;
    gap = row;
  }
  return gap;
}

/** Minimum number of characters that a move keeps on the screen, for it to be worth it. */
const MIN_KEPT = 80;

/** Returns how far the largest block of rows has moved up, and its number of rows; 0 if a move is not worth it. */
function shiftBetween(before: readonly string[], after: readonly string[]) {
  let best = {shift: 0, count: 0};
  let most = MIN_KEPT;
  for (let shift = 1; shift < before.length; shift++) {
    let kept = 0;
    let count = 0;
    for (; count + shift < before.length && after[count] === before[count + shift]; count++)
      kept += after[count]?.length ?? 0;
    if (kept <= most) continue;
    best = {shift, count};
    most = kept;
  }
  return best;
}

/** Returns the sequence that turns a row into another; writes only from the first difference on if its column is certain. */
function patchRow(before: string, after: string): string {
  const start = commonStart(before, after);
  const [kept = '', rest = ''] = carryStyles([after.slice(0, start), after.slice(start)]);
  const text = stripStyles(kept);
  // In a full row, the cursor cannot be behind the last character.
  if (text === '' || !isSimple(text) || width(rest) === 0) return ERASE_LINE + after;
  return `\x1b[${simpleWidth(text)}C${ERASE_LINE}${rest}`;
}

/** Returns the length of the common start that ends between two characters. */
function commonStart(one: string, other: string): number {
  let end = 0;
  while (end < one.length && one[end] === other[end]) end++;
  const escape = other.lastIndexOf('\x1b', end - 1);
  if (escape >= 0) {
    STYLE_AT.lastIndex = escape;
    if (escape + (STYLE_AT.exec(other)?.[0].length ?? Infinity) > end) end = escape;
  }
  const mayCombine = (text: string) => !hasSimpleGraphemes(text[end] ?? '');
  while (end > 0 && (mayCombine(one) || mayCombine(other))) end--;
  return end;
}
