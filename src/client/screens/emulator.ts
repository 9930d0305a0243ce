import type {Terminal} from '@xterm/headless';
import type {ScreenChange, TerminalRow} from '../../session/terminal-screen.ts';
import {rowOf} from './cells.ts';

export interface EmulatorOptions {
  readonly columns: number;
  readonly rows: number;
  /** True where LF alone begins a line: what did not come through a terminal driver. */
  readonly bareLineFeeds: boolean;
}

/** A terminal that nobody sees, which interprets what a command prints. */
export interface Emulator {
  /** Takes output; resolves when it is interpreted. `skippedRows` is how many rows were left out before it. */
  write(data: string, skippedRows: number): Promise<void>;
  /** What has changed since it was asked last. */
  change(): ScreenChange;
  /** What stands before the cursor in its row. */
  beforeCursor(): string;
  dispose(): void;
}

/** Rows that the emulator itself keeps; more than a piece has, unless it is mostly line ends. */
const SCROLLBACK = 1000;
/** How much is interpreted before rows that scrolled away are read, in UTF-16 units. */
const PIECE = 4096;

/** Loads the emulator's library when it is first needed. */
export async function createEmulator({columns, rows, bareLineFeeds}: EmulatorOptions): Promise<Emulator> {
  const {default: xterm} = await import('@xterm/headless');
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: SCROLLBACK,
    convertEol: bareLineFeeds,
    allowProposedApi: true,
    logLevel: 'off',
  });
  return emulate(terminal);
}

function emulate(terminal: Terminal): Emulator {
  const {buffer} = terminal;
  const cell = buffer.normal.getNullCell();
  /** Rows that the emulator has forgotten. */
  let trimmed = 0;
  /** The number of the first row that was not read as scrolled away. */
  let readTo = 0;
  let settled: TerminalRow[] = [];

  function readRow(lines: typeof buffer.normal, index: number): TerminalRow {
    const line = lines.getLine(index);
    return line === undefined ? [] : rowOf(line, cell);
  }

  /** Reads the rows that have scrolled away. */
  function settle(): void {
    const top = trimmed + buffer.normal.baseY;
    if (top < readTo || trimmed > readTo) {
      settled = [];
      readTo = Math.min(top, Math.max(trimmed, 0));
    }
    for (; readTo < top; readTo++) settled.push(readRow(buffer.normal, readTo - trimmed));
  }

  async function writePiece(piece: string): Promise<void> {
    const marker = buffer.active.type === 'normal' ? terminal.registerMarker(0) : undefined;
    const before = marker?.line ?? 0;
    await new Promise<void>((resolve) => terminal.write(piece, resolve));
    if (marker && !marker.isDisposed) trimmed += before - marker.line;
    else if (buffer.normal.baseY >= SCROLLBACK) trimmed += piece.split('\n').length - 1;
    marker?.dispose();
    settle();
  }

  function screenRows(): TerminalRow[] {
    const {active} = buffer;
    const rows = Array.from({length: terminal.rows}, (_, row) => readRow(active, active.baseY + row));
    const end = rows.findLastIndex((row, index) => row.length > 0 || index < active.cursorY);
    return rows.slice(0, end + 1);
  }

  return {
    async write(data, skippedRows) {
      trimmed += skippedRows;
      for (let at = 0; at < data.length; at += PIECE) await writePiece(data.slice(at, at + PIECE));
    },
    change() {
      const change = {from: readTo - settled.length, rows: [...settled, ...screenRows()]};
      settled = [];
      return change;
    },
    beforeCursor() {
      const {active} = buffer;
      return active.getLine(active.baseY + active.cursorY)?.translateToString(false, 0, active.cursorX) ?? '';
    },
    dispose: () => terminal.dispose(),
  };
}
