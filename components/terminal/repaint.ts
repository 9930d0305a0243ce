import type {Cursor} from './output.ts';

/** The frame as it stood before the terminal was resized. */
export interface Frame {
  /** The width of each of its lines. */
  readonly widths: readonly number[];
  readonly cursor: Cursor;
}

const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';

/** How many rows the cursor stands below the first line of a frame, after the terminal has wrapped the frame for `columns`. */
export function rowsAboveCursor({widths, cursor}: Frame, columns: number | undefined): number {
  const line = Math.max(0, widths.length - cursor.up);
  if (columns === undefined) return line;
  const rows = widths.slice(0, line).map((width) => Math.max(1, Math.ceil(width / columns)));
  return rows.reduce((sum, count) => sum + count, 0) + Math.floor(cursor.column / columns);
}

/** Moves to the first line of a frame and erases from there on; what stands above stays, and so does the scrollback. */
export function eraseFrame(rows: number): string {
  return `${BEGIN}${rows > 0 ? `\x1b[${rows}A` : ''}\r\x1b[J${END}`;
}
