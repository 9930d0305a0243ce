import type {Charset} from '../draw/symbols.ts';
import {createFrames, type Above, type Frames} from './frames.ts';
import {createScrollback} from './scrollback.ts';

/** The parts of a terminal's output stream that are used. */
export interface TerminalOutput {
  readonly columns: number;
  readonly rows: number;
  write(data: string, callback?: () => void): boolean;
}

/**
 * The output as Ink gets it: of the size that was last settled, so that Ink hears of a burst of resizes once, and closed
 * while the frame on the screen is not where Ink thinks that it is.
 */
export interface GatedOutput extends Pick<Frames, 'print' | 'replace' | 'cursor'> {
  /** For Ink, which writes each frame between the two marks of synchronized output. */
  readonly stream: NodeJS.WriteStream;
  /** What is written from now on is lost, until `open`. */
  readonly close: () => void;
  readonly open: () => void;
  /** Leaves all that was printed on the screen and in the scrollback, and no frame. */
  readonly uncover: () => void;
  /** Reads the terminal's size, and passes it to Ink. */
  readonly settle: () => void;
}

export interface OutputOptions {
  readonly terminal: TerminalOutput;
  readonly charset: Charset;
  /** Nothing on the alternate screen, which is the frame's alone. */
  readonly above?: Above;
}

/** Erases from the cursor on; Ink and we do so at the start of a line only. */
const ERASE_DOWN = '\x1b[J';
/** The same at the start of a line: tmux and GNU screen take the usual one on the first cell as a whole screen to keep. */
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
  const frames = createFrames({
    above,
    rows: () => size.rows,
    columns: () => size.columns,
    send(data, callback) {
      const written = data.replaceAll(ERASE_DOWN, ERASE_DOWN_UNKEPT);
      return terminal.write(charset === 'ascii' ? toAscii(written) : written, callback);
    },
    redraw: () => isOpen && settle(),
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
    // Ink uses no more of a stream than this.
    stream: stream as unknown as NodeJS.WriteStream,
    close() {
      frames.release();
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

/** For terminals that show ASCII only. */
export function toAscii(text: string): string {
  return text.replace(known, (character) => standIns.get(character) ?? '?');
}
