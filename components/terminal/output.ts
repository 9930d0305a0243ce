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
  /** For Ink. */
  readonly stream: NodeJS.WriteStream;
  /** What is written from now on is lost, until `open`. */
  readonly close: () => void;
  readonly open: () => void;
  /** Takes the terminal's size, and tells Ink. */
  readonly settle: () => void;
  /** Where the cursor stands: rows above the line below the frame, and its column. */
  readonly cursor: () => {readonly up: number; readonly column: number};
}

/** What Ink writes at the end of a frame to put the cursor into it. */
const SHOWN_CURSOR = /(?:\x1b\[(\d+)A)?\x1b\[(\d+)G\x1b\[\?25h$/;

export function createGatedOutput(terminal: TerminalOutput): GatedOutput {
  const listeners = new Set<() => void>();
  let size = {columns: terminal.columns, rows: terminal.rows};
  let isOpen = true;
  let cursor = {up: 0, column: 0};

  function write(data: string, callback?: unknown): boolean {
    if (!isOpen) {
      if (typeof callback === 'function') queueMicrotask(callback as () => void);
      return true;
    }
    const shown = SHOWN_CURSOR.exec(data);
    if (shown) cursor = {up: Number(shown[1] ?? 0), column: Number(shown[2]) - 1};
    else if (data.includes('\n')) cursor = {up: 0, column: 0};
    return typeof callback === 'function'
      ? terminal.write(data, callback as () => void)
      : terminal.write(data);
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
      isOpen = false;
    },
    open() {
      isOpen = true;
    },
    settle() {
      size = {columns: terminal.columns, rows: terminal.rows};
      for (const listener of listeners) listener();
    },
    cursor: () => cursor,
  };
}
