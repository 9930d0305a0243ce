import {keepStyles} from '../../src/text/ansi.ts';
import type {Scrollback} from './scrollback.ts';
import {width} from '../../src/text/width.ts';
import {ERASE_LINE, moveUp} from './scrollback.ts';

/** The scrollback and panel rows above a frame. */
export interface Above {
  readonly scrollback: Scrollback;
  /** Rows of the frame occupied by a list, a page or a request. */
  readonly panelRows: () => number;
  /** Makes Ink erase its frame and forget it. */
  readonly forget: () => void;
}

interface FramesOptions {
  readonly above: Above;
  /** Rows of the terminal. */
  readonly rows: () => number;
  readonly columns: () => number;
  readonly send: (data: string, callback?: () => void) => boolean;
  /** Makes Ink draw its frame. */
  readonly redraw: () => void;
}

/** Writes each frame at once, together with the lines printed above it. */
export interface Frames {
  /** Receives Ink's output. */
  readonly write: (data: string, callback?: () => void) => boolean;
  /** Writes lines above the frame: with the next frame, which Ink redraws completely, or with `release`. */
  readonly print: (lines: readonly string[]) => void;
  /** Makes Ink redraw the next frame completely, after the sequence that erases the last one. */
  readonly replace: (erase: string) => void;
  readonly release: (callback?: () => void) => boolean;
  /** Returns the position of the cursor on the screen. */
  readonly cursor: () => Cursor;
}

/** Lines to print in place of the erased frame. */
interface Printed {
  readonly erase: string;
  readonly lines: readonly string[];
}

/** Ink's sequence at the end of a frame that positions the cursor. */
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

  /** Returns the sequence for a frame with the lines above it; empty if Ink has to redraw it for that. */
  function complete(drawn: string): string {
    const size = {rows: rows(), height: linesIn(drawn), panel: panelRows()};
    // Without lines, Ink has only moved the cursor.
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
    // Ink has yet to store what it drew.
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

/** Erases a background to the edge instead of filling it with blanks: these would be copied, and wrap into extra rows when the terminal gets narrower. */
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
    /** Starts at the first line of an erased frame. */
    begin() {
      text = '';
      cursor = TOP;
    },
    end(): Cursor {
      text = undefined;
      return cursor;
    },
    /** Discards what is written meanwhile. */
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

/** Number of lines in a frame, including unchanged ones that are skipped. */
function linesIn(frame: string): number {
  return frame.match(/\n|\x1b\[E/g)?.length ?? 0;
}

/** Ink skips each unchanged line separately; this merges the sequences. */
function compact(frame: string): string {
  return frame.replace(/(?:\x1b\[E){2,}/g, (steps) => `\x1b[${steps.length / 3}E`);
}

/** Returns the cursor position after a part of a frame; undefined if it does not change. */
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

/** Moves to the first line of a frame and erases from there; the scrollback is kept. */
export function eraseFrame(rows: number): string {
  return `${moveUp(rows)}\r\x1b[J`;
}
