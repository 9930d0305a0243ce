import {moveUp} from './scrollback.ts';

/** Where the cursor stands: rows above the line below the frame, and its column. */
export interface Cursor {
  readonly up: number;
  readonly column: number;
}

/** The frame as it stood before the terminal was resized. */
export interface Frame {
  /** The width of each of its lines. */
  readonly widths: readonly number[];
  readonly cursor: Cursor;
}

/** The rows of a frame above its cursor's, and from that on, after the terminal has wrapped the frame for `columns`. */
export function rowsAroundCursor({widths, cursor}: Frame, columns: number | undefined) {
  const line = Math.max(0, widths.length - cursor.up);
  if (columns === undefined) return {above: line, below: widths.length - line};
  const rows = widths.map((width) => Math.max(1, Math.ceil(width / columns)));
  const above = sum(rows.slice(0, line)) + Math.floor(cursor.column / columns);
  return {above, below: sum(rows) - above};
}

function sum(rows: readonly number[]): number {
  return rows.reduce((total, count) => total + count, 0);
}

/** Moves to the first line of a frame and erases from there on; what stands above stays, and so does the scrollback. */
export function eraseFrame(rows: number): string {
  return `${moveUp(rows)}\r\x1b[J`;
}
