import type {ScreenSize} from '../../src/app/editor/layout.ts';
import {keepStyles} from '../../src/text/ansi.ts';
import {writtenPictures} from '../../src/text/pictures/cells.ts';
import {pictureWithId} from './pictures.ts';
import {width} from '../../src/text/width.ts';
import {type Charset, toAscii} from '../theme/symbols.ts';
import {createInFlight} from './in-flight.ts';
import {patchRows} from './row-patch.ts';
import {
  asLines,
  createScrollback,
  ERASE_DOWN,
  ERASE_LINE,
  moveDown,
  moveUp,
  type Scrollback,
} from './scrollback.ts';
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
}

/** The scrollback and panel rows above a frame. */
export interface RowsAbove {
  readonly scrollback: Scrollback;
  /** Rows of the frame occupied by a list or a page, which cover what is above them until they close. */
  readonly panelRows: () => number;
  /** Makes Ink erase its frame and forget it. */
  readonly forget: () => void;
}

/** How Ink draws on such an output. */
export const howInkDraws = ({stream, frameDrawn}: Pick<GatedOutput, 'stream' | 'frameDrawn'>) => ({
  stdout: stream,
  // Called when the frame is written, or is the one that was written last.
  onRender: frameDrawn,
  exitOnCtrlC: false,
  patchConsole: false,
  interactive: true,
  // Frames are compared with the screen where they are written, together with printed lines.
  incrementalRendering: false,
  // The store sets the pace; what Ink would hold back is mostly the echo of a key.
  maxFps: 240,
});

/** Erases from the cursor on in tmux and GNU screen, which at the first cell would move the whole screen into the scrollback. */
const ERASE_DOWN_UNKEPT = '\x1b[K\x1b[2G\x1b[J\x1b[G';

const nothingAbove = (): RowsAbove => ({
  scrollback: createScrollback(true),
  panelRows: () => 0,
  forget: () => undefined,
});

/** Creates the output for Ink: with a debounced size, so that a burst of resizes is reported once, and closed while the frame is not where Ink assumes it to be. */
export function createGatedOutput({terminal, charset, above = nothingAbove()}: OutputOptions) {
  let isOpen = true;
  /** The pictures that this screen of the terminal has. */
  const sentPictures = new Set<number>();
  const {onFrameSent, frameWritten} = createSentFrames((data, callback) => terminal.write(data, callback));
  const {stream, size, settle} = createStream(terminal, (data, callback) =>
    isOpen ? frames.write(data, callback) : sent(callback),
  );
  const {print, postpone, release, ...frames} = createFrames({
    above,
    size,
    send(data, callback) {
      const unkept = data.replaceAll(ERASE_DOWN, ERASE_DOWN_UNKEPT);
      const written = writtenPictures(unkept, sentPictures, pictureWithId);
      return terminal.write(charset === 'ascii' ? toAscii(written) : written, callback);
    },
  });

  return {
    ...frames,
    /** For Ink, which writes each frame between the marks of synchronized output. */
    stream,
    /** Only this says that something was on the screen. */
    onFrameSent,
    /** Call it whenever Ink has drawn; not in linear output. */
    frameDrawn() {
      if (isOpen) frameWritten();
    },
    /** Discards output until `open`. */
    close() {
      postpone();
      isOpen = false;
    },
    open() {
      isOpen = true;
    },
    print(lines: readonly string[]) {
      if (isOpen) print(lines);
    },
    /** Leaves everything printed on the screen and in the scrollback, without a frame. */
    uncover() {
      print([]);
      release();
    },
    /** Reads the terminal's size, and passes it to Ink. */
    settle,
  };
}

/** Creates a stream for Ink whose size is the terminal's when `settle` was last called. */
function createStream(terminal: TerminalOutput, write: TerminalOutput['write']) {
  const listeners = new Set<() => void>();
  let size = {columns: terminal.columns, rows: terminal.rows};
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
    write,
    on: (event: string, listener: () => void) => event === 'resize' && listeners.add(listener),
    off: (event: string, listener: () => void) => event === 'resize' && listeners.delete(listener),
  };
  return {
    // Ink uses no other members of a stream.
    stream: stream as unknown as NodeJS.WriteStream,
    size: () => size,
    settle: () => {
      size = {columns: terminal.columns, rows: terminal.rows};
      for (const listener of listeners) listener();
    },
  };
}

/** Lines to print in place of the erased frame. */
interface Printed {
  /** Rows from the cursor up to the first one of that frame; undefined if there is none. */
  readonly up: number | undefined;
  readonly lines: readonly string[];
}

/** The last frame. */
interface ShownFrame {
  readonly rows: readonly string[];
  readonly size: ScreenSize;
}

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';

/** Synchronized output: the terminal shows everything between these two at once. Ink starts and ends each frame with them. */
const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';

interface FramesOptions {
  readonly above: RowsAbove;
  /** The terminal's. */
  readonly size: () => ScreenSize;
  readonly send: (data: string, callback?: () => void) => boolean;
}

/** Writes each frame at once, together with the lines printed above it; only what changes, while the last frame is on the screen. */
function createFrames({size, send, above: {scrollback, panelRows, forget}}: FramesOptions) {
  const held = createHeld();
  let printed: Printed | undefined;
  /** Undefined if the screen may show something else. */
  let shown: ShownFrame | undefined;
  /** The frame that was drawn last, even if something else was written since then. */
  let drawn: Pick<InkFrame, 'rows' | 'isWhole' | 'cursor'> = {rows: [], isWhole: true, cursor: undefined};
  const inFlight = createInFlight();

  function write(data: string, callback?: () => void): boolean {
    const step = held.take(data);
    if (step !== 'passed') return step === 'ended' ? release(callback) : sent(callback);
    if (ERASING.test(data)) shown = undefined;
    return send(data, callback);
  }

  function release(callback?: () => void): boolean {
    const text = held.end();
    const isNew = text !== '' || printed !== undefined;
    return isNew ? send(BEGIN + complete(readFrame(text)) + END, callback) : sent(callback);
  }

  /** Returns the sequence for a frame with the lines above it. */
  function complete(frame: InkFrame): string {
    const before = drawn;
    const isCursorOnly = printed === undefined && frame.rows.length === 0;
    drawn = isCursorOnly ? {...drawn, cursor: frame.cursor} : frame;
    if (isCursorOnly) return moveCursor(shown && before.cursor, frame);
    const {up, lines} = printed ?? {up: rowsToErase(frame.erase, before), lines: []};
    const start = writeAbove(lines, frame.rows.length);
    const isOverLast = start === asLines(lines) && up !== undefined;
    const from = {shown: isOverLast ? shown : undefined, cursor: before.cursor ?? TOP};
    const patched = patchFrame(from, {lines, frame, size: size()});
    const written = start === '' ? {up: 0, lines: []} : scrollback.written();
    const above = {before: rowsAboveCursor(before), after: rowsAboveCursor(frame)};
    inFlight.add({lines: written.lines, up: (up ?? 0) + written.up, added: lines, isPatch: !!patched, above});
    shown = frame.isWhole ? {rows: frame.rows, size: size()} : undefined;
    printed = undefined;
    return patched ?? (up === undefined ? '' : HIDE_CURSOR + eraseFrame(up)) + start + frame.body;
  }

  /** Returns what to write at the first row of the erased frame before the next one. */
  function writeAbove(lines: readonly string[], height: number): string {
    const frame = {rows: size().rows, height, panel: panelRows()};
    if (printed !== undefined || scrollback.hasToMove(frame)) return scrollback.print(lines, frame);
    scrollback.drawn(frame);
    return '';
  }

  return {
    /** Receives Ink's output, which contains complete frames. */
    write,
    release,
    /** Writes lines above the frame: with the next frame, which Ink draws in any case, or with `release`. */
    print: (lines: readonly string[]) => {
      const kept = lines.map((line) => withoutPadding(keepStyles(line).trimEnd(), size().columns));
      const up = rowsToErase(held.capture(forget), drawn);
      printed = {up: printed === undefined ? up : printed.up, lines: [...(printed?.lines ?? []), ...kept]};
    },
    /** Writes all of the next frame, from so many rows above the cursor on. */
    replace: (up: number) => {
      printed = {up, lines: printed?.lines ?? []};
      shown = undefined;
      held.capture(forget);
    },
    /** Leaves the last frame on the screen, since what is held is for another size. Lines to print wait for `replace`. */
    postpone: () => void held.end(),
    /** Returns the width of each row of the frame on the screen. */
    widths: () => drawn.rows.map(width),
    /** Returns the position of the cursor on the screen. */
    cursor: () => drawn.cursor ?? TOP,
    inFlight,
  };
}

interface OnScreen {
  readonly shown: ShownFrame | undefined;
  readonly cursor: Cursor;
}

interface NextOnScreen {
  /** Lines to print above the frame. */
  readonly lines: readonly string[];
  readonly frame: InkFrame;
  readonly size: ScreenSize;
}

/** Returns the sequence that turns the last frame into lines and the next frame; undefined if that is not possible. */
function patchFrame({shown, cursor}: OnScreen, {lines, frame, size}: NextOnScreen): string | undefined {
  const next = [...lines, ...frame.rows];
  const isResized = shown?.size.columns !== size.columns || shown.size.rows !== size.rows;
  const isFitting = frame.isWhole && frame.rows.length > 0 && next.length < size.rows;
  if (shown === undefined || isResized || !isFitting) return undefined;
  const {up, column} = frame.cursor ?? TOP;
  const from = shown.rows.length - cursor.up;
  const sequence = HIDE_CURSOR + patchRows(shown.rows, next, {from, to: next.length - up});
  return frame.cursor === undefined ? sequence : `${sequence}\x1b[${column + 1}G${SHOW_CURSOR}`;
}

const PADDING = / +((?:\x1b\[[\d;]*m)+)$/;

/** Erases a background to the edge instead of filling it with blanks: these would be copied, and wrap into extra rows when the terminal gets narrower. */
function withoutPadding(line: string, columns: number): string {
  if (!line.includes('\x1b[48;') || width(line) !== columns) return line;
  return line.replace(PADDING, `${ERASE_LINE}$1`);
}

/** Buffers what Ink writes of a frame until that is complete. */
function createHeld() {
  let text: string | undefined;
  let captured: string | undefined;
  return {
    take(data: string): 'held' | 'passed' | 'ended' {
      if (captured !== undefined) captured += data;
      else if (data === END) return 'ended';
      else if (data === BEGIN) text = '';
      else if (text === undefined) return 'passed';
      else text += data;
      return 'held';
    },
    end(): string {
      const ended = text ?? '';
      text = undefined;
      return ended;
    },
    /** Returns what is written meanwhile, which is not sent. */
    capture(work: () => void): string {
      captured = '';
      work();
      const written = captured;
      captured = undefined;
      return written;
    },
  };
}

function sent(callback?: () => void): true {
  if (callback) queueMicrotask(callback);
  return true;
}

/** A frame as Ink writes it. */
interface InkFrame {
  /** Erases the last frame; empty if there is none. Without rows, moves the cursor. */
  readonly erase: string;
  readonly rows: readonly string[];
  /** The rows, and what positions the cursor. */
  readonly body: string;
  /** True if the cursor is below the last row before it is positioned. */
  readonly isWhole: boolean;
  /** Undefined if it is hidden. */
  readonly cursor: Cursor | undefined;
}

/** What Ink writes before the rows, which contain only styles and links. */
const BEFORE_ROWS = /^(?:\x1b\[[?\d;]*[A-HJKhl])*/;
/** Ink's sequence at the end of a frame that positions the cursor. */
const SHOWN_CURSOR = /(?:\x1b\[(\d+)A)?\x1b\[(\d+)G\x1b\[\?25h$/;
const ERASING = /\x1b\[\d?[JK]/;

function readFrame(data: string): InkFrame {
  const erase = BEFORE_ROWS.exec(data)?.[0] ?? '';
  const body = data.slice(erase.length);
  const end = SHOWN_CURSOR.exec(data);
  const text = end === null ? body : body.slice(0, -end[0].length);
  const isWhole = text.endsWith('\n');
  return {
    erase,
    rows: text === '' ? [] : (isWhole ? text.slice(0, -1) : text).split('\n'),
    body,
    isWhole,
    cursor: end === null ? undefined : {up: Number(end[1] ?? 0), column: Number(end[2]) - 1},
  };
}

/** Returns the rows of a frame above its cursor. */
function rowsAboveCursor({rows, isWhole, cursor = TOP}: Pick<InkFrame, 'rows' | 'isWhole' | 'cursor'>) {
  return rows.slice(0, Math.max(0, rows.length - (isWhole ? 0 : 1) - cursor.up));
}

/** Returns how many rows above the cursor Ink erases; undefined if none. */
function rowsToErase(erase: string, frame: Parameters<typeof rowsAboveCursor>[0]): number | undefined {
  return ERASING.test(erase) ? rowsAboveCursor(frame).length : undefined;
}

/** Moves the cursor within a frame, from where it was if that is known. */
function moveCursor(from: Cursor | undefined, {erase, body, cursor: to}: InkFrame): string {
  if (from === undefined || to === undefined) return erase + body;
  return `${HIDE_CURSOR}${moveUp(to.up - from.up)}${moveDown(from.up - to.up)}\x1b[${to.column + 1}G${SHOW_CURSOR}`;
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
