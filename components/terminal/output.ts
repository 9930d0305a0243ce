import type {ScreenSize} from '../../src/app/editor/layout.ts';
import {keepStyles} from '../../src/text/ansi.ts';
import {writtenPictures} from '../../src/text/pictures/cells.ts';
import {pictureWithId} from '../../src/worker/pictures.ts';
import {width} from '../../src/text/width.ts';
import {type Charset, toAscii} from '../theme/symbols.ts';
import {createInFlight} from './in-flight.ts';
import type {ScreenModes} from './integrations.ts';
import {patchRows} from './row-patch.ts';
import {asLines, createScrollback, ERASE_DOWN, ERASE_LINE, moveUp, type Scrollback} from './scrollback.ts';
import {createSentFrames} from './sent-frames.ts';

/** The parts of a terminal's output stream in use. */
export interface TerminalOutput extends ScreenSize {
  /** `callback` is called when it has left this process, or with the error if the terminal is closed. */
  write(data: string, callback?: (error?: Error | null) => void): boolean;
}

export type GatedOutput = ReturnType<typeof createGatedOutput>;

export interface OutputOptions {
  readonly terminal: TerminalOutput;
  readonly charset: Charset;
  /** Undefined for the alternate screen, which has only the frame. */
  readonly above?: RowsAbove;
  /** The modes of the alternate screen in addition to those that Ink sets. */
  readonly modes?: ScreenModes | undefined;
}

/** The scrollback and panel rows above a frame. */
export interface RowsAbove {
  readonly scrollback: Scrollback;
  /** Rows of the frame occupied by a list or a page, which cover what is above them until they close. */
  readonly panelRows: () => number;
}

/** How Ink draws on such an output: it writes each frame as plain rows, and calls `onRender` after it. The store sets the pace. */
export const howInkDraws = ({stream, frameDrawn}: Pick<GatedOutput, 'stream' | 'frameDrawn'>) => ({
  stdout: stream,
  debug: true,
  onRender: frameDrawn,
  exitOnCtrlC: false,
  patchConsole: false,
  interactive: true,
});

/** Erases from the cursor on in tmux and GNU screen, which at the first cell would move the whole screen into the scrollback. */
const ERASE_DOWN_UNKEPT = '\x1b[K\x1b[2G\x1b[J\x1b[G';

/** Creates the output for Ink: with a debounced size, so that a burst of resizes is reported once, and closed while the frame is not where it is assumed to be. */
export function createGatedOutput({terminal, charset, modes, above}: OutputOptions) {
  let isOpen = true;
  /** Where the cursor is shown in the next frame. */
  let caret: CursorPosition | undefined;
  /** The pictures that this screen of the terminal has. */
  const sentPictures = new Set<number>();
  const sentFrames = createSentFrames((data, callback) => terminal.write(data, callback));
  const {size, drop, ...forInk} = createStream(terminal, {
    pass: (data, callback) => frames.pass(data, callback),
    draw(text) {
      if (!isOpen) return;
      // Of a frame that does not fit the screen, nothing counts as seen.
      if (frames.draw(text, caret)) sentFrames.frameWritten();
    },
  });
  const frames = createFrames({
    above: above ?? {scrollback: createScrollback(true), panelRows: () => 0},
    size,
    send(data, callback) {
      const unkept = withModes(data, modes).replaceAll(ERASE_DOWN, ERASE_DOWN_UNKEPT);
      const written = writtenPictures(unkept, sentPictures, pictureWithId);
      return terminal.write(charset === 'ascii' ? toAscii(written) : written, callback);
    },
  });

  return {
    ...forInk,
    ...frames,
    // Only these say that something was on the screen.
    ...sentFrames,
    /** Puts the cursor of the next frames into a cell of it, which is read when it is drawn; undefined hides it. */
    setCaret: (position: CursorPosition | undefined) => {
      caret = position;
    },
    /** Discards frames until `open`. Lines to print wait for `replace`. */
    close() {
      isOpen = false;
    },
    open() {
      isOpen = true;
    },
    print(lines: readonly string[]) {
      if (isOpen) frames.print(lines);
    },
    /** Leaves everything printed on the screen and in the scrollback, without a frame. */
    uncover() {
      drop();
      frames.print([]);
      frames.draw('', undefined);
    },
  };
}

const ENTER = '\x1b[?1049h';
const LEAVE = '\x1b[?1049l';

/** Sets modes after the alternate screen is entered, and restores them before it is left. */
function withModes(data: string, modes: ScreenModes | undefined): string {
  if (!modes || !data.includes(OTHER_SCREEN)) return data;
  return data
    .replace(ENTER, () => ENTER + modes.entered())
    .replace(LEAVE, () => modes.leaving() + LEAVE + modes.left());
}

/** A cell of a frame, both from 0. */
export interface CursorPosition {
  readonly x: number;
  readonly y: number;
}

/** Frames in so many milliseconds become one. */
const FRAME_INTERVAL = 4;

/** Part of what switches to the alternate screen and back. */
const OTHER_SCREEN = '\x1b[?1049';

/** Sequences of Ink that switch the screen and modes. */
const MODES = /^(?:\x1b\[\?\d+[hl])+$/;

interface Receiver {
  /** Gets what is no frame. */
  readonly pass: TerminalOutput['write'];
  /** Gets a frame. */
  readonly draw: (text: string) => void;
}

/** Creates a stream for Ink whose size is the terminal's when `settle` was last called. */
function createStream(terminal: TerminalOutput, {pass, draw}: Receiver) {
  const listeners = new Set<() => void>();
  let size = {columns: terminal.columns, rows: terminal.rows};
  /** What was written last: a frame, once Ink says that it has drawn one. */
  let text = '';
  /** Runs for a moment after each frame; the last one that Ink draws meanwhile follows it. */
  let timer: NodeJS.Timeout | undefined;
  let isWaiting = false;
  const stream = {
    isTTY: true,
    writable: true,
    destroyed: false,
    writableEnded: false,
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
    write(data: string, callback?: () => void): boolean {
      if (data.includes(OTHER_SCREEN)) isWaiting = false;
      if (callback !== undefined || MODES.test(data)) return pass(data, callback);
      text = data;
      return true;
    },
    on: (event: string, listener: () => void) => event === 'resize' && listeners.add(listener),
    off: (event: string, listener: () => void) => event === 'resize' && listeners.delete(listener),
  };

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isWaiting) draw(text);
    isWaiting = false;
  }

  return {
    // Ink uses no other members of a stream.
    stream: stream as unknown as NodeJS.WriteStream,
    size: () => size,
    /** Call it whenever Ink has drawn. */
    frameDrawn() {
      isWaiting = true;
      if (timer !== undefined) return;
      flush();
      timer = setTimeout(flush, FRAME_INTERVAL);
    },
    /** Draws the last frame at once, if it waits. */
    flush,
    /** Drops the frame that waits. */
    drop: () => {
      isWaiting = false;
    },
    /** Reads the terminal's size, and passes it to Ink. */
    settle: () => {
      size = {columns: terminal.columns, rows: terminal.rows};
      for (const listener of listeners) listener();
    },
  };
}

/** A frame that Ink has drawn, and where its cursor is. */
interface Frame {
  readonly rows: readonly string[];
  /** The terminal's. */
  readonly size: ScreenSize;
  /** False if it fills the screen: then the cursor is in its last row before it is positioned, not below it. */
  readonly isWhole: boolean;
  /** True if it is only the end of what Ink has drawn. */
  readonly isCut: boolean;
  /** Undefined if it is hidden. */
  readonly cursor: Cursor | undefined;
}

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';

/** Synchronized output: the terminal shows everything between these two at once. */
const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';

interface FramesOptions {
  readonly above: RowsAbove;
  /** The terminal's. */
  readonly size: () => ScreenSize;
  readonly send: (data: string, callback?: () => void) => boolean;
}

/** Writes each frame at once, together with the lines printed above it; only what changes, while the last frame is on the screen. */
function createFrames({size, send, above: {scrollback, panelRows}}: FramesOptions) {
  /** Lines to print in place of the erased frame, and the rows from the cursor up to the first one of it; undefined if there is none. */
  let printed: {readonly up: number | undefined; readonly lines: readonly string[]} | undefined;
  /** The frame that was drawn last, even if something else was written since then. */
  let drawn = frameOf('', undefined, size());
  /** False if the screen may show something else than it. */
  let isShown = false;
  const inFlight = createInFlight();

  /** Returns the sequence for a frame with the lines above it. */
  function complete(frame: Frame): string {
    const before = drawn;
    drawn = frame;
    if (printed === undefined && isShown && before.rows.join('\n') === frame.rows.join('\n')) {
      const moved = hasSameCursor(before, frame) ? '' : patchFrame(before, [], frame);
      if (moved !== undefined) return moved;
    }
    const {up, lines} = printed ?? {up: rowsToErase(before), lines: []};
    const start = writeAbove(lines, frame.rows.length);
    const isOverLast = isShown && start === asLines(lines) && up !== undefined;
    const patched = isOverLast && patchFrame(before, lines, frame);
    const written = start === '' ? {up: 0, lines: []} : scrollback.written();
    const above = {before: rowsAboveCursor(before), after: rowsAboveCursor(frame)};
    inFlight.add({lines: written.lines, up: (up ?? 0) + written.up, added: lines, isPatch: !!patched, above});
    isShown = frame.isWhole;
    printed = undefined;
    return patched || HIDE_CURSOR + (up === undefined ? '' : eraseFrame(up)) + start + bodyOf(frame);
  }

  /** Returns what to write at the first row of the erased frame before the next one. */
  function writeAbove(lines: readonly string[], height: number): string {
    const frame = {rows: size().rows, height, panel: panelRows()};
    if (printed !== undefined || scrollback.hasToMove(frame)) return scrollback.print(lines, frame);
    scrollback.drawn(frame);
    return '';
  }

  return {
    /** Writes a frame of Ink's, which has plain rows; false if it does not fit the screen. */
    draw: (text: string, caret: CursorPosition | undefined) => {
      const frame = frameOf(text, caret, size());
      const sequence = complete(frame);
      if (sequence !== '') send(BEGIN + sequence + END);
      return !frame.isCut;
    },
    /** Writes what is no frame. */
    pass: (data: string, callback?: () => void) => {
      // The other screen has none.
      if (data.includes(OTHER_SCREEN)) drawn = frameOf('', undefined, size());
      return send(data, callback);
    },
    /** Writes lines above the frame, with the next one. */
    print: (lines: readonly string[]) => {
      const kept = lines.map((line) => withoutPadding(keepStyles(line).trimEnd(), size().columns));
      const up = printed === undefined ? rowsToErase(drawn) : printed.up;
      printed = {up, lines: [...(printed?.lines ?? []), ...kept]};
    },
    /** Writes all of the next frame, from so many rows above the cursor on. */
    replace: (up: number) => {
      printed = {up, lines: printed?.lines ?? []};
      isShown = false;
    },
    /** Something else has written below the frame, or over it: what is drawn next begins where the cursor is. */
    displaced: () => {
      scrollback.displaced();
      drawn = frameOf('', undefined, size());
      printed = {up: 0, lines: printed?.lines ?? []};
      isShown = false;
    },
    /** Returns the width of each row of the frame on the screen. */
    widths: () => drawn.rows.map(width),
    /** Returns the position of the cursor on the screen. */
    cursor: () => drawn.cursor ?? TOP,
    inFlight,
  };
}

/** Returns a frame as far as it fits the screen: its end. */
function frameOf(text: string, caret: CursorPosition | undefined, size: ScreenSize): Frame {
  const all = text === '' ? [] : text.split('\n');
  const isWhole = all.length < size.rows;
  const up = all.length - Number(!isWhole) - (caret?.y ?? 0);
  const isCut = all.length > size.rows;
  return {rows: all.slice(-size.rows), size, isWhole, isCut, cursor: caret && {up, column: caret.x}};
}

/** Returns the rows, and what positions the cursor. */
function bodyOf({rows, isWhole, cursor}: Frame): string {
  const text = rows.join('\n') + (isWhole && rows.length > 0 ? '\n' : '');
  return text + (cursor ? `${moveUp(cursor.up)}\x1b[${cursor.column + 1}G${SHOW_CURSOR}` : '');
}

function hasSameCursor({cursor: one}: Frame, {cursor: other}: Frame): boolean {
  return one?.up === other?.up && one?.column === other?.column;
}

/** Returns the sequence that turns a frame into lines and the next frame; undefined if that is not possible. */
function patchFrame(before: Frame, lines: readonly string[], frame: Frame): string | undefined {
  const next = [...lines, ...frame.rows];
  const {columns, rows} = frame.size;
  const isResized = before.size.columns !== columns || before.size.rows !== rows;
  if (isResized || !frame.isWhole || frame.rows.length === 0 || next.length >= rows) return undefined;
  const {up, column} = frame.cursor ?? TOP;
  const from = before.rows.length - (before.cursor ?? TOP).up;
  const sequence = HIDE_CURSOR + patchRows(before.rows, next, {from, to: next.length - up});
  return frame.cursor === undefined ? sequence : `${sequence}\x1b[${column + 1}G${SHOW_CURSOR}`;
}

const PADDING = / +((?:\x1b\[[\d;]*m)+)$/;

/** Erases a background to the edge instead of filling it with blanks: these would be copied, and wrap into extra rows when the terminal gets narrower. */
function withoutPadding(line: string, columns: number): string {
  if (!line.includes('\x1b[48;') || width(line) !== columns) return line;
  return line.replace(PADDING, `${ERASE_LINE}$1`);
}

/** Returns the rows of a frame above its cursor. */
function rowsAboveCursor({rows, isWhole, cursor = TOP}: Frame) {
  return rows.slice(0, Math.max(0, rows.length - Number(!isWhole) - cursor.up));
}

/** Returns how many rows above the cursor a frame begins; undefined if there is none. */
function rowsToErase(frame: Frame): number | undefined {
  return frame.rows.length === 0 ? undefined : rowsAboveCursor(frame).length;
}

/** Position of the cursor: rows above the line below the frame, and its column. */
export interface Cursor {
  readonly up: number;
  readonly column: number;
}

/** Below the frame, as after it was erased. */
const TOP: Cursor = {up: 0, column: 0};

/** Moves to the first line of a frame and erases from there; the scrollback is kept. */
export function eraseFrame(rows: number): string {
  return `${moveUp(rows)}\r\x1b[J`;
}
