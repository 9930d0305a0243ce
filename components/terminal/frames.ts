import {keepStyles} from '../../src/text/ansi.ts';
import type {Scrollback} from './scrollback.ts';
import {width} from '../../src/text/width.ts';
import {ERASE_LINE, moveUp} from './scrollback.ts';

/** The scrollback and panel rows above a frame. */
export interface Above {
  readonly scrollback: Scrollback;
  /** Rows of the frame that a list, a page or a request takes. */
  readonly panelRows: () => number;
  /** Makes Ink erase its frame and forget it. */
  readonly forget: () => void;
}

interface FramesOptions {
  readonly above: Above;
  /** Of the terminal. */
  readonly rows: () => number;
  readonly columns: () => number;
  readonly send: (data: string, callback?: () => void) => boolean;
  /** Has Ink draw its frame. */
  readonly redraw: () => void;
}

/** Writes each frame in one piece, together with what is printed above it. */
export interface Frames {
  /** Takes what Ink writes. */
  readonly write: (data: string, callback?: () => void) => boolean;
  /** Writes lines above the frame: with the next frame, which Ink draws in full, or with `release`. */
  readonly print: (lines: readonly string[]) => void;
  /** Has Ink draw the next frame in full, behind what erases the last one. */
  readonly replace: (erase: string) => void;
  readonly release: (callback?: () => void) => boolean;
  /** Where the cursor is on the screen. */
  readonly cursor: () => Cursor;
}

/** Lines that are to be printed in the place of the erased frame. */
interface Printed {
  readonly erase: string;
  readonly lines: readonly string[];
}

/** What Ink writes at the end of a frame to put the cursor into it. */
const SHOWN_CURSOR = /(?:\x1b\[(\d+)A)?\x1b\[(\d+)G\x1b\[\?25h$/;
const HIDE_CURSOR = '\x1b[?25l';
/** Below the frame, as after it was erased. */
const TOP: Cursor = {up: 0, column: 0};

/** Synchronized output: the terminal shows everything between these two at once. Ink starts and ends each frame with them. */
const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';

export function createFrames({above, rows, columns, send, redraw}: FramesOptions): Frames {
  const {scrollback, panelRows, forget} = above;
  const held = createHeld();
  let printed: Printed | undefined;
  let cursor = TOP;

  function write(data: string, callback?: () => void): boolean {
    const step = held.take(data);
    if (step === 'ended') return release(callback);
    return step === 'passed' ? send(data, callback) : sent(callback);
  }

  function release(callback?: () => void): boolean {
    const whole = complete(held.text());
    return whole === '' ? sent(callback) : send(BEGIN + compact(whole) + END, callback);
  }

  /** Returns what draws a frame, with the lines above it in their places; nothing where Ink has to draw it once more for that. */
  function complete(drawn: string): string {
    const size = {rows: rows(), height: linesIn(drawn), panel: panelRows()};
    // Without lines Ink has moved the cursor only.
    const isOverLast = printed === undefined && size.height > 0;
    if (isOverLast && scrollback.hasToMove(size)) return drawAnew();
    if (isOverLast) scrollback.drawn(size);
    const start = printed === undefined ? '' : printed.erase + scrollback.print(printed.lines, size);
    printed = undefined;
    cursor = held.end();
    return start + drawn;
  }

  /** The last frame is still on the screen. */
  function drawAnew(): '' {
    begin(`${HIDE_CURSOR}${eraseFrame(scrollback.height() - cursor.up)}`);
    // Ink is still about to note what it drew.
    queueMicrotask(() => {
      held.ignore(forget);
      redraw();
    });
    return '';
  }

  function begin(erase: string, lines: readonly string[] = []): void {
    held.begin();
    printed = {erase, lines};
  }

  function print(lines: readonly string[]): void {
    const kept = lines.map((line) => withoutPadding(keepStyles(line).trimEnd(), columns()));
    held.begin();
    if (printed === undefined) forget();
    else held.ignore(forget);
    begin(printed?.erase ?? held.text(), [...(printed?.lines ?? []), ...kept]);
  }

  function replace(erase: string): void {
    begin(erase);
    held.ignore(forget);
  }

  return {write, release, print, replace, cursor: () => cursor};
}

const PADDING = / +((?:\x1b\[[\d;]*m)+)$/;

/**
 * A surface up to the edge, erased there instead of filled with blanks: these would be copied along, and wrapped into a row of their own
 * when the terminal gets narrow.
 */
function withoutPadding(line: string, columns: number): string {
  if (!line.includes('\x1b[48;') || width(line) !== columns) return line;
  return line.replace(PADDING, `${ERASE_LINE}$1`);
}

/** Buffers what Ink writes until the frame is complete, and tracks the cursor. */
function createHeld() {
  let text: string | undefined;
  let cursor = TOP;
  let isIgnored = false;
  return {
    take(data: string): 'held' | 'passed' | 'ended' {
      if (isIgnored) return 'held';
      cursor = cursorAfter(data) ?? cursor;
      if (data === END) return 'ended';
      if (data === BEGIN) text ??= '';
      else if (text === undefined) return 'passed';
      else text += data;
      return 'held';
    },
    text: () => text ?? '',
    /** Begins at the first line of a frame that is erased. */
    begin() {
      text = '';
      cursor = TOP;
    },
    end(): Cursor {
      text = undefined;
      return cursor;
    },
    /** Lets what is written meanwhile get lost. */
    ignore(work: () => void) {
      isIgnored = true;
      work();
      isIgnored = false;
    },
  };
}

function sent(callback?: () => void): true {
  if (callback) queueMicrotask(callback);
  return true;
}

/** How many lines a frame has; one that is left as it is, is stepped over. */
function linesIn(frame: string): number {
  return frame.match(/\n|\x1b\[E/g)?.length ?? 0;
}

/** Ink steps over each line that has not changed by itself. */
function compact(frame: string): string {
  return frame.replace(/(?:\x1b\[E){2,}/g, (steps) => `\x1b[${steps.length / 3}E`);
}

/** Where a part of a frame leaves the cursor; undefined when it does not move it for long. */
function cursorAfter(data: string): Cursor | undefined {
  const shown = SHOWN_CURSOR.exec(data);
  if (shown) return {up: Number(shown[1] ?? 0), column: Number(shown[2]) - 1};
  return data.includes('\n') ? TOP : undefined;
}

/** Position of the cursor: rows above the line below the frame, and its column. */
export interface Cursor {
  readonly up: number;
  readonly column: number;
}

/** Moves to the first line of a frame and erases from there; text above and the scrollback stay. */
export function eraseFrame(rows: number): string {
  return `${moveUp(rows)}\r\x1b[J`;
}
