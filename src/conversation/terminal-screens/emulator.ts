import type {Terminal, IBufferCell, IBufferLine} from '@xterm/headless';
import type {
  ScreenChange,
  TerminalRow,
  TerminalColor,
  TerminalRun,
  TerminalStyle,
} from '../../session/terminals/terminal-screen.ts';

interface EmulatorOptions {
  readonly columns: number;
  readonly rows: number;
  /** True if LF alone starts a new line: for output that did not pass a terminal driver. */
  readonly bareLineFeeds: boolean;
}

/** A headless terminal that interprets the output of a command. */
export interface Emulator {
  /** Writes output; resolves when it is interpreted. `skippedRows` is the number of rows left out before it. */
  write(data: string, skippedRows: number): Promise<void>;
  /** Returns the changes since the last call. */
  change(): ScreenChange;
  /** The text before the cursor in its row. */
  beforeCursor(): string;
  dispose(): void;
}

/** Size of the emulator's own scrollback, in rows; larger than a piece needs, unless it is mostly line ends. */
const SCROLLBACK = 1000;
/** Amount of output to interpret before scrolled-out rows are read, in UTF-16 units. */
const PIECE = 4096;

/** Creates an emulator; loads its library on first use. */
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
  /** Number of rows dropped by the emulator. */
  let trimmed = 0;
  /** Index of the first row that was not read after scrolling out. */
  let readTo = 0;
  let settled: TerminalRow[] = [];

  function readRow(lines: typeof buffer.normal, index: number): TerminalRow {
    const line = lines.getLine(index);
    return line === undefined ? [] : rowOf(line, cell);
  }

  /** Reads the rows that have scrolled out. */
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

/** Returns a row as runs, without trailing blank cells. */
function rowOf(line: IBufferLine, cell: IBufferCell): TerminalRow {
  const end = endOf(line, cell);
  const runs: TerminalRun[] = [];
  let text = '';
  let key = '';
  let style: TerminalStyle | undefined;
  const finish = () => {
    if (text !== '') runs.push(style === undefined ? {text} : {text, style});
  };
  for (let column = 0; column < end; column++) {
    line.getCell(column, cell);
    // The second half of a wide character.
    if (cell.getWidth() === 0) continue;
    const next = cell.isAttributeDefault() ? '' : styleKey(cell);
    if (next !== key) {
      finish();
      text = '';
      key = next;
      style = next === '' ? undefined : styleOf(cell);
    }
    text += cell.isInvisible() !== 0 ? ' '.repeat(cell.getWidth()) : cell.getChars() || ' ';
  }
  finish();
  return runs;
}

function endOf(line: IBufferLine, cell: IBufferCell): number {
  let end = line.length;
  while (end > 0 && isBlank(line.getCell(end - 1, cell))) end--;
  return end;
}

function isBlank(cell: IBufferCell | undefined): boolean {
  if (cell === undefined) return true;
  const chars = cell.getChars();
  const isVisible = cell.isBgDefault() && cell.isInverse() === 0 && cell.isUnderline() === 0;
  return (chars === '' || chars === ' ') && isVisible && cell.getWidth() !== 0;
}

/** Returns a key that is equal for cells of the same style. */
function styleKey(cell: IBufferCell): string {
  const flags =
    (cell.isBold() && 1) |
    (cell.isDim() && 2) |
    (cell.isItalic() && 4) |
    (cell.isUnderline() && 8) |
    (cell.isInverse() && 16) |
    (cell.isStrikethrough() && 32);
  return `${flags} ${cell.getFgColorMode()} ${cell.getFgColor()} ${cell.getBgColorMode()} ${cell.getBgColor()}`;
}

function styleOf(cell: IBufferCell): TerminalStyle {
  const foreground = cell.isFgDefault() ? undefined : colorOf(cell.isFgRGB(), cell.getFgColor());
  const background = cell.isBgDefault() ? undefined : colorOf(cell.isBgRGB(), cell.getBgColor());
  return {
    ...(foreground !== undefined && {foreground}),
    ...(background !== undefined && {background}),
    ...(cell.isBold() !== 0 && {bold: true}),
    ...(cell.isDim() !== 0 && {dim: true}),
    ...(cell.isItalic() !== 0 && {italic: true}),
    ...(cell.isUnderline() !== 0 && {underline: true}),
    ...(cell.isInverse() !== 0 && {inverse: true}),
    ...(cell.isStrikethrough() !== 0 && {strikethrough: true}),
  };
}

function colorOf(isRgb: boolean, color: number): TerminalColor {
  return isRgb ? `#${color.toString(16).padStart(6, '0')}` : color;
}

/** Endings of questions: `Name:`, `Continue?`, `>`, `(y/N)`, `[Y/n]`; not the arrows of progress bars. */
const QUESTION = /(?:[?:❯»$]|(?<![=-])>|[([](?:y|yes|n|no)\b[^)\]]*[)\]])\s*$/i;

const MAX_LENGTH = 200;

/** True if the text before the cursor looks like a question that waits for input. */
export function looksLikeQuestion(beforeCursor: string): boolean {
  return beforeCursor.length <= MAX_LENGTH && QUESTION.test(beforeCursor);
}
