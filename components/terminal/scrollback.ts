import {wrapHard} from '../../src/text/wrap.ts';

/** The height of a frame on the terminal. */
interface FrameRows {
  /** Rows of the terminal. */
  readonly rows: number;
  /** Rows of the frame, without the row below it for the cursor. */
  readonly height: number;
  /** Rows of it occupied by a panel, which will be closed again. */
  readonly panel: number;
}

/** A frame that was rewrapped on a resized terminal. */
interface Resized {
  readonly columns: number;
  readonly rows: number;
  /** The cursor's row on the screen, from 0; undefined if unknown. */
  readonly cursorRow: number | undefined;
  /** True if rows of the frame were wrapped meanwhile: not every terminal moves the cursor with its row, so that rows of the frame may remain above. */
  readonly isFrameWrapped: boolean;
  /** True if the terminal cannot show again what it had scrolled away, and all rows below the cursor are left. */
  readonly hasOnlyNarrowed: boolean;
  /** Rows of the frame above its cursor, before and after. */
  readonly above: {readonly before: number; readonly after: number};
  /** Rows of the frame from its cursor's on. */
  readonly below: number;
  /** See `missingRows` in in-flight.ts. */
  readonly missing: number;
  /** See `linesInFrame` there. */
  readonly inFrame: number;
}

/** Where all lines are written again. */
interface Place {
  readonly up: number;
  readonly sequence: string;
}

interface Line {
  readonly text: string;
  /** Number of rows; more than one only after the terminal became narrower. */
  readonly rows: number;
}

/** More lines than a screen has rows. */
const MAX_PAST = 300;

/** Also fills the rest of a line with its background. */
export const ERASE_LINE = '\x1b[K';
/** Erases from the cursor on; only used at the start of a line. */
export const ERASE_DOWN = '\x1b[J';
const HOME = '\x1b[H';

/**
 * Printed rows of the transcript that are visible above the frame. Rows that do not fit go into the terminal's scrollback for good. Rows covered by a panel
 * are held back until it closes.
 */
export type Scrollback = ReturnType<typeof createScrollback>;

/** `reflows` is the terminal's capability. */
export function createScrollback(reflows: boolean) {
  /** Lines known to be on the screen; the first ones are covered. */
  let lines: readonly Line[] = [];
  let covered = 0;
  /** True if the first uncovered line is on the terminal's first row. */
  let isFull = false;
  let isDoubtful = false;
  /** Lines before them, which only the terminal has; a resized terminal may show some of them again. */
  let past: readonly Line[] = [];
  /** Moves to the first row of the erased screen, on which everything known is written again; undefined if what is on the screen is known. */
  let place: Place | undefined;
  let last: FrameRows = {rows: 0, height: 0, panel: 0};
  let lastWritten: {readonly up: number; readonly lines: readonly string[]} = {up: 0, lines: []};

  function take(all: readonly Line[], {kept, seen}: ReturnType<typeof divide>, frame: FrameRows): void {
    if (kept > 0) past = [...past, ...all.slice(0, kept)].slice(-MAX_PAST);
    lines = all.slice(kept);
    covered = seen - kept;
    last = frame;
    if (kept > 0) isFull = rowsOf(all.slice(seen)) === frame.rows - 1 - frame.height;
  }

  return {
    /** True if drawing over the last frame would scroll away lines that are to be covered, or leave covered rows blank. */
    hasToMove: (frame: FrameRows) => {
      const {kept, seen} = divide(lines, frame);
      return covered === 0 ? kept !== seen : kept > 0 || seen !== covered;
    },
    /** Call it after such a frame was drawn. */
    drawn: (frame: FrameRows) => {
      take(lines, divide(lines, frame), frame);
    },
    /** Prints lines, and returns what to write at the first row of the erased frame before the next one is drawn completely. */
    print: (added: readonly string[], frame: FrameRows) => {
      const all = [...lines, ...added.map(oneRow)];
      const {kept, seen} = divide(all, frame);
      const up = rowsOf(lines.slice(covered));
      const start = place ?? {up, sequence: isFull && isDoubtful ? HOME : `${moveUp(up)}\r`};
      const isUsual = covered === 0 && kept === seen && !isDoubtful && place === undefined;
      place = undefined;
      take(all, {kept, seen}, frame);
      isDoubtful = false;
      lastWritten = {up: 0, lines: added};
      if (isUsual) return asLines(added);
      const written = [...all.slice(0, kept), ...all.slice(seen)].map(({text}) => text);
      lastWritten = {up: start.up, lines: written};
      return `${start.sequence}${asLines(written.map((text) => ERASE_LINE + text))}${ERASE_DOWN}`;
    },
    /** Returns the rows that the last `print` moves up, and the lines it writes. */
    written: () => lastWritten,
    /** Rows of the current frame, and the known ones above it with those that are covered. */
    heights: () => ({frame: last.height, above: rowsOf(lines)}),
    /** The screen may differ from what was written: the next `print` rewrites all of it. */
    doubt: () => void (isDoubtful = true),
    /** Something else has written to the screen: if lines are covered, the next `print` writes all that are known where the cursor is. */
    displaced: () => {
      if (covered === 0) lines = [];
      place = {up: 0, sequence: ''};
    },
    resized: (change: Resized) => {
      ({past, lines, covered, place} = afterResize({lines, covered, past, last, reflows}, change));
      isFull = false;
    },
    /** Forgets what is on the screen. */
    forget: () => {
      past = [];
      place = undefined;
      lines = [];
      covered = 0;
      isFull = false;
    },
  };
}

/** Returns the indices of the first line on the screen, and of the first visible one. */
function divide(all: readonly Line[], frame: FrameRows) {
  const kept = firstWithin(all, frame.rows - 1 - (frame.height - frame.panel));
  return {kept, seen: Math.max(kept, firstWithin(all, frame.rows - 1 - frame.height))};
}

interface BeforeResize {
  readonly lines: readonly Line[];
  readonly covered: number;
  readonly past: readonly Line[];
  readonly last: FrameRows;
  readonly reflows: boolean;
}

interface KnownLines {
  /** All known lines on the terminal, the first `past` of them in its scrollback. */
  readonly known: readonly Line[];
  readonly past: number;
  /** Rows above the cursor that are left if the terminal shows nothing again. */
  readonly guess: number;
}

function afterResize({lines: all, covered, past: before, last, reflows}: BeforeResize, change: Resized) {
  const wrap = {columns: change.columns, reflows};
  const hidden = all.slice(0, covered).flatMap(({text}) => rowsAt(text, change.columns).map(oneRow));
  const known = [...before, ...all.slice(covered)].map((line) => resizedLine(line, wrap));
  const past = before.length;
  const cursor = rowsOf(all.slice(covered)) + change.above.before;
  // Terminals keep the cursor's row or the last one; GNU screen removes rows at the top even if the last ones are free.
  const guess = Math.min(cursor - Math.max(0, last.rows - change.rows), change.rows - change.below - 1);
  const {first, place} = placeAfterResize({known, past, guess}, change);
  const back = Math.max(0, past - first);
  const onScreen = known.slice(first);
  return {
    past: known.slice(0, first),
    lines: [...onScreen.slice(0, back), ...hidden, ...onScreen.slice(back)],
    covered: hidden.length > 0 ? back + hidden.length : 0,
    place,
  };
}

/** Returns the first line on the screen, and what moves to the place where all lines on it are to be written; undefined if that is where they are. */
function placeAfterResize({known, past, guess}: KnownLines, change: Resized) {
  const {rows, cursorRow, isFrameWrapped, hasOnlyNarrowed, above, below, missing, inFrame} = change;
  if (cursorRow === undefined)
    return {first: Math.max(past, firstWithin(known, guess - above.after)), place: undefined};
  const room = (hasOnlyNarrowed ? Math.min(cursorRow, rows - 1 - below) : cursorRow) - above.after + missing;
  const all = rowsOf(known);
  // Something else is above all known lines.
  if (!isFrameWrapped && missing === 0 && room > all) return {first: 0, place: undefined};
  const from = {row: Math.max(0, cursorRow - above.after), rows};
  const first = Math.max(0, Math.min(firstCovering(known, room), known.length - inFrame));
  return {first, place: placeAtTop(from, Math.max(0, room - all))};
}

function oneRow(text: string): Line {
  return {text, rows: 1};
}

/** Returns the rows of a line; its erased rest takes none. */
function rowsAt(text: string, columns: number): string[] {
  return wrapHard(text.replaceAll(ERASE_LINE, ''), columns);
}

/** Returns a line after a resize, rewrapped or cut depending on the terminal. */
function resizedLine({text}: Line, {columns, reflows}: {columns: number; reflows: boolean}): Line {
  const rows = rowsAt(text, columns);
  return reflows ? {text, rows: rows.length} : oneRow(rows[0] ?? '');
}

/** Returns the index of the first of the last lines that take at most `room` rows together. */
function firstWithin(lines: readonly Line[], room: number): number {
  let first = lines.length;
  let left = room;
  while (first > 0) {
    left -= lines[first - 1]?.rows ?? 1;
    if (left < 0) break;
    first--;
  }
  return first;
}

/** Returns the index of the first of the last lines that take at least `room` rows together. */
function firstCovering(lines: readonly Line[], room: number): number {
  const first = firstWithin(lines, room);
  return first > 0 && rowsOf(lines.slice(first)) < room ? first - 1 : first;
}

function rowsOf(lines: readonly Line[]): number {
  return lines.reduce((sum, {rows}) => sum + rows, 0);
}

/**
 * Moves from a row to the first one of the screen, and scrolls so many rows away. Relative to where the cursor is: if the terminal is resized again meanwhile, it
 * moves with the rows.
 */
function placeAtTop({row, rows}: {readonly row: number; readonly rows: number}, scrolled: number): Place {
  const down = scrolled > 0 ? rows - 1 - row + scrolled : 0;
  const up = scrolled > 0 ? rows - 1 : row;
  return {up: up - down, sequence: `${moveDown(down)}${moveUp(up)}\r${ERASE_DOWN}`};
}

export function asLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Moves the cursor up; empty for 0 rows. */
export function moveUp(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : '';
}

/** Moves the cursor down, to the start of a row. Where rows are gone because the terminal has become smaller, it gets new ones. */
export function moveDown(rows: number): string {
  return rows > 0 ? '\n'.repeat(rows) : '';
}
