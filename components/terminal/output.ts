import type {Charset} from '../draw/symbols.ts';
import {writtenPictures} from '../../src/text/pictures/cells.ts';
import {pictureWithId} from '../../src/text/pictures/picture-now.ts';
import {createFrames, type Above, type Frames} from './frames.ts';
import {createScrollback} from './scrollback.ts';

/** The parts of a terminal's output stream in use. */
export interface TerminalOutput {
  readonly columns: number;
  readonly rows: number;
  write(data: string, callback?: () => void): boolean;
}

/** The output for Ink: with a debounced size, so that a burst of resizes is reported once, and closed while the frame is not where Ink assumes it to be. */
export interface GatedOutput extends Pick<Frames, 'print' | 'replace' | 'cursor' | 'widths'> {
  /** For Ink, which writes each frame between the marks of synchronized output. */
  readonly stream: NodeJS.WriteStream;
  /** Discards output until `open`. */
  readonly close: () => void;
  readonly open: () => void;
  /** Leaves everything printed on the screen and in the scrollback, without a frame. */
  readonly uncover: () => void;
  /** Reads the terminal's size, and passes it to Ink. */
  readonly settle: () => void;
}

export interface OutputOptions {
  readonly terminal: TerminalOutput;
  readonly charset: Charset;
  /** Undefined for the alternate screen, which has only the frame. */
  readonly above?: Above;
}

/** Erases from the cursor on; only used at the start of a line. */
const ERASE_DOWN = '\x1b[J';
/** The same for tmux and GNU screen, which at the first cell would move the whole screen into the scrollback. */
const ERASE_DOWN_UNKEPT = '\x1b[K\x1b[2G\x1b[J\x1b[G';

const nothingAbove = (): Above => ({
  scrollback: createScrollback(true),
  panelRows: () => 0,
  forget: () => undefined,
});

export function createGatedOutput({terminal, charset, above = nothingAbove()}: OutputOptions): GatedOutput {
  const listeners = new Set<() => void>();
  let size = {columns: terminal.columns, rows: terminal.rows};
  let isOpen = true;
  /** The pictures that this screen of the terminal has. */
  const sent = new Set<number>();
  const frames = createFrames({
    above,
    rows: () => size.rows,
    columns: () => size.columns,
    send(data, callback) {
      const written = writtenPictures(data.replaceAll(ERASE_DOWN, ERASE_DOWN_UNKEPT), sent, pictureWithId);
      return terminal.write(charset === 'ascii' ? toAscii(written) : written, callback);
    },
  });

  function write(data: string, callback?: () => void): boolean {
    if (isOpen) return frames.write(data, callback);
    if (callback) queueMicrotask(callback);
    return true;
  }

  function settle(): void {
    size = {columns: terminal.columns, rows: terminal.rows};
    for (const listener of listeners) listener();
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
    on: (event: string, listener: () => void) => event === 'resize' && listeners.add(listener),
    off: (event: string, listener: () => void) => event === 'resize' && listeners.delete(listener),
  };

  return {
    // Ink uses no other members of a stream.
    stream: stream as unknown as NodeJS.WriteStream,
    close() {
      frames.postpone();
      isOpen = false;
    },
    open() {
      isOpen = true;
    },
    print(lines) {
      if (isOpen) frames.print(lines);
    },
    replace: frames.replace,
    uncover() {
      frames.print([]);
      frames.release();
    },
    settle,
    cursor: frames.cursor,
    widths: frames.widths,
  };
}

/** The symbols acp-tui draws with, and ASCII replacements of the same width. Text from agents is unchanged. */
const standIns: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '…': '.',
    '·': '-',
    '•': '*',
    '│': '|',
    '┆': ':',
    '⟨': '<',
    '⟩': '>',
    '─': '-',
    '┼': '+',
    '├': '+',
    '┤': '+',
    '┬': '+',
    '┴': '+',
    '↑': '^',
    '↓': 'v',
    '←': '<',
    '→': '>',
    '“': '"',
    '”': '"',
    '‘': "'",
    '’': "'",
    '–': '-',
    '—': '-',
    '×': 'x',
  }),
);

const known = new RegExp(`[${[...standIns.keys()].join('')}]`, 'gu');

/** Replaces symbols for ASCII-only terminals. */
export function toAscii(text: string): string {
  return text.replace(known, (character) => standIns.get(character) ?? '?');
}
