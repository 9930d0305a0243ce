import {keepStyles} from '../../src/text/sgr.ts';
import type {Charset} from '../draw/signs.ts';
import {toAscii} from './ascii.ts';

/** What is used of a terminal's output stream. */
export interface TerminalOutput {
  readonly columns: number;
  readonly rows: number;
  write(data: string, callback?: () => void): boolean;
}

/**
 * The output as Ink gets it: of the size that was last settled, so that Ink hears of a burst of resizes once, and closed
 * while the frame on the screen is not where Ink thinks that it is.
 */
export interface GatedOutput {
  /** For Ink, which writes each frame between the two marks of synchronized output. */
  readonly stream: NodeJS.WriteStream;
  /** What is written from now on is lost, until `open`. */
  readonly close: () => void;
  readonly open: () => void;
  /** Writes lines above the frame, once `erase` has made Ink erase it: in one piece with the next frame, or with `release`. */
  readonly print: (lines: readonly string[], erase: () => void) => void;
  readonly release: () => void;
  /** Takes the terminal's size, and tells Ink. */
  readonly settle: () => void;
  /** Where the cursor stands: rows above the line below the frame, and its column. */
  readonly cursor: () => Cursor;
}

export interface Cursor {
  readonly up: number;
  readonly column: number;
}

/** What Ink writes at the end of a frame to put the cursor into it. */
const SHOWN_CURSOR = /(?:\x1b\[(\d+)A)?\x1b\[(\d+)G\x1b\[\?25h$/;

/** Synchronized output: the terminal shows what stands between these two at once. */
const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';

/** Erases from the cursor on; Ink and we do so at the start of a line only. */
const ERASE_DOWN = '\x1b[J';
/** The same at the start of a line: tmux and GNU screen take the usual one on the first cell as a whole screen to keep. */
const ERASE_DOWN_UNKEPT = '\x1b[K\x1b[2G\x1b[J\x1b[G';

/** Ink steps over each line that has not changed by itself. */
function compact(frame: string): string {
  return frame.replace(/(?:\x1b\[E){2,}/g, (steps) => `\x1b[${steps.length / 3}E`);
}

/** Writes a frame in one piece, with what was held back for it. */
function createFrames(terminal: TerminalOutput, charset: Charset) {
  let frame: string | undefined;

  function release(callback?: () => void): boolean {
    const whole = frame ?? '';
    frame = undefined;
    const written = BEGIN + compact(whole) + END;
    return whole === '' || terminal.write(charset === 'ascii' ? toAscii(written) : written, callback);
  }

  return {
    hold() {
      frame ??= '';
    },
    release,
    write(data: string, callback?: () => void): boolean {
      if (data === END) return release(callback);
      if (data === BEGIN) frame ??= '';
      else if (frame === undefined) return terminal.write(data, callback);
      else frame += data;
      if (callback) queueMicrotask(callback);
      return true;
    },
  };
}

export function createGatedOutput(terminal: TerminalOutput, charset: Charset): GatedOutput {
  const listeners = new Set<() => void>();
  const frames = createFrames(terminal, charset);
  let size = {columns: terminal.columns, rows: terminal.rows};
  let isOpen = true;
  let cursor: Cursor = {up: 0, column: 0};

  function write(data: string, callback?: () => void): boolean {
    if (isOpen) {
      cursor = cursorAfter(data) ?? cursor;
      return frames.write(data.replaceAll(ERASE_DOWN, ERASE_DOWN_UNKEPT), callback);
    }
    if (callback) queueMicrotask(callback);
    return true;
  }

  function print(lines: readonly string[], erase: () => void): void {
    frames.hold();
    erase();
    write(lines.map((line) => `${keepStyles(line).trimEnd()}\n`).join(''));
  }

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
    on(event: string, listener: () => void) {
      if (event === 'resize') listeners.add(listener);
      return stream;
    },
    off(event: string, listener: () => void) {
      if (event === 'resize') listeners.delete(listener);
      return stream;
    },
  };

  return {
    // Ink uses no more of a stream than this.
    stream: stream as unknown as NodeJS.WriteStream,
    close() {
      frames.release();
      isOpen = false;
    },
    open() {
      isOpen = true;
    },
    print,
    release: () => void frames.release(),
    settle() {
      size = {columns: terminal.columns, rows: terminal.rows};
      for (const listener of listeners) listener();
    },
    cursor: () => cursor,
  };
}

/** Where a part of a frame leaves the cursor; undefined when it does not move it for long. */
function cursorAfter(data: string): Cursor | undefined {
  const shown = SHOWN_CURSOR.exec(data);
  if (shown) return {up: Number(shown[1] ?? 0), column: Number(shown[2]) - 1};
  return data.includes('\n') ? {up: 0, column: 0} : undefined;
}
