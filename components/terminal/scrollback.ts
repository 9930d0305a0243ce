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
  /** Rows of the frame above its cursor, before and after. */
  readonly above: {readonly before: number; readonly after: number};
  /** Rows of the frame from its cursor's on. */
  readonly below: number;
}

/**
 * Printed rows of the transcript that are visible above the frame. Rows that do not fit go into the terminal's scrollback for good. Rows covered by a panel
 * are held back until it closes.
 */
export interface Scrollback {
  /** True if drawing over the last frame would scroll away lines that are to be covered, or leave covered rows blank. */
  readonly hasToMove: (frame: FrameRows) => boolean;
  /** Call it after such a frame was drawn. */
  readonly drawn: (frame: FrameRows) => void;
  /** Prints lines, and returns what to write at the first row of the erased frame before the next one is drawn completely. */
  readonly print: (lines: readonly string[], frame: FrameRows) => string;
  /** Rows of the current frame. */
  readonly height: () => number;
  /** The screen may differ from what was written: the next `print` rewrites all of it. */
  readonly doubt: () => void;
  readonly resized: (change: Resized) => void;
  /** Forgets what is on the screen. */
  readonly forget: () => void;
}

interface Line {
  readonly text: string;
  /** Number of rows; more than one only after the terminal became narrower. */
  readonly rows: number;
}

/** Also fills the rest of a line with its background. */
export const ERASE_LINE = '\x1b[K';
const ERASE_DOWN = '\x1b[J';
const HOME = '\x1b[H';

/** `reflows` is the terminal's capability. */
export function createScrollback(reflows: boolean): Scrollback {
  /** Lines known to be on the screen; the first ones are covered. */
  let lines: readonly Line[] = [];
  let covered = 0;
  /** True if the first uncovered line is on the terminal's first row. */
  let isFull = false;
  let isDoubtful = false;
  let last: FrameRows = {rows: 0, height: 0, panel: 0};

  /** Returns the indices of the first line on the screen, and of the first visible one. */
  function divide(all: readonly Line[], frame: FrameRows) {
    const kept = firstWithin(all, frame.rows - 1 - (frame.height - frame.panel));
    return {kept, seen: Math.max(kept, firstWithin(all, frame.rows - 1 - frame.height))};
  }

  function take(all: readonly Line[], {kept, seen}: ReturnType<typeof divide>, frame: FrameRows): void {
    lines = all.slice(kept);
    covered = seen - kept;
    last = frame;
    if (kept > 0) isFull = rowsOf(all.slice(seen)) === frame.rows - 1 - frame.height;
  }

  return {
    hasToMove(frame) {
      const {kept, seen} = divide(lines, frame);
      return covered === 0 ? kept !== seen : kept > 0 || seen !== covered;
    },
    drawn(frame) {
      take(lines, divide(lines, frame), frame);
    },
    print(added, frame) {
      const fresh = added.map(oneRow);
      const shown = lines.slice(covered);
      const all = [...lines, ...fresh];
      const {kept, seen} = divide(all, frame);
      const start = isFull ? HOME : `${moveUp(rowsOf(shown))}\r`;
      const isUsual = covered === 0 && kept === seen && !isDoubtful;
      take(all, {kept, seen}, frame);
      isDoubtful = false;
      if (isUsual) return added.map((text) => `${text}\n`).join('');
      const written = [...all.slice(0, kept), ...all.slice(seen)];
      return `${start}${written.map(({text}) => `${ERASE_LINE}${text}\n`).join('')}${ERASE_DOWN}`;
    },
    height: () => last.height,
    doubt() {
      isDoubtful = true;
    },
    resized({columns, rows, above, below}) {
      const cursor = rowsOf(lines.slice(covered)) + above.before;
      // Terminals keep the cursor's row or the last one; GNU screen removes rows at the top even if the last ones are free.
      const kept = Math.min(cursor - Math.max(0, last.rows - rows), rows - below - 1);
      const hidden = lines.slice(0, covered).flatMap(({text}) => rowsAt(text, columns).map(oneRow));
      const shown = lines.slice(covered).map((line) => resizedLine(line, {columns, reflows}));
      lines = [...hidden, ...shown.slice(firstWithin(shown, kept - above.after))];
      covered = hidden.length;
      isFull = false;
    },
    forget() {
      lines = [];
      covered = 0;
      isFull = false;
    },
  };
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

function rowsOf(lines: readonly Line[]): number {
  return lines.reduce((sum, {rows}) => sum + rows, 0);
}

/** Moves the cursor up; empty for 0 rows. */
export function moveUp(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : '';
}
