import type {Action} from '../keymap/keymap.ts';

/** Before the first drawing. */
export const unscrolled: Scroll = {firstRow: 0, visibleRows: 0, totalRows: 0};

/** Returns how many rows an action scrolls down, up if negative, without limit to an end; undefined if it does not scroll. */
export function scrollDistance(action: Action | undefined, visibleRows: number): number | undefined {
  const page = Math.max(1, visibleRows - 1);
  const rows: Readonly<Partial<Record<Action, number>>> = {
    scroll_line_up: -1,
    scroll_line_down: 1,
    scroll_page_up: -page,
    scroll_page_down: page,
    scroll_start: -Infinity,
    scroll_end: Infinity,
  };
  return action && rows[action];
}

/** Returns the first row after a scrolling key; undefined if the action does not scroll. */
export function firstRowAfterScroll(action: Action | undefined, scroll: Scroll): number | undefined {
  const by = scrollDistance(action, scroll.visibleRows);
  return by === undefined ? undefined : clampFirstRow(scroll, scroll.firstRow + by);
}

/** Returns the nearest first row without empty rows at the end. */
export function clampFirstRow({visibleRows, totalRows}: Scroll, firstRow: number): number {
  return Math.max(0, Math.min(firstRow, totalRows - visibleRows));
}

/** Scroll position in rows; `totalRows` is 0 until the first drawing. */
export interface Scroll {
  readonly firstRow: number;
  readonly visibleRows: number;
  readonly totalRows: number;
}

/** Returns the range of rows around a row that must be visible, which is near the middle if possible; `to` is exclusive. */
export function windowAround(
  selected: number,
  count: number,
  rows: number,
): {readonly from: number; readonly to: number} {
  const from = Math.max(0, Math.min(selected - Math.floor(rows / 2), count - rows));
  return {from, to: Math.min(count, from + rows)};
}
