import type {Action} from '../keymap/keymap.ts';

/** Before the first drawing. */
export const unscrolled: Scroll = {firstRow: 0, visibleRows: 0, totalRows: 0};

/** Returns the first row after a scrolling key; undefined if the action does not scroll. */
export function scrolledBy(action: Action | undefined, scroll: Scroll): number | undefined {
  const {firstRow, visibleRows, totalRows} = scroll;
  const page = Math.max(1, visibleRows - 1);
  switch (action) {
    case 'scroll_line_up':
      return within(scroll, firstRow - 1);
    case 'scroll_line_down':
      return within(scroll, firstRow + 1);
    case 'scroll_page_up':
      return within(scroll, firstRow - page);
    case 'scroll_page_down':
      return within(scroll, firstRow + page);
    case 'scroll_start':
      return 0;
    case 'scroll_end':
      return within(scroll, totalRows);
    default:
      return undefined;
  }
}

/** Returns the nearest first row without empty rows at the end. */
export function within({visibleRows, totalRows}: Scroll, firstRow: number): number {
  return Math.max(0, Math.min(firstRow, totalRows - visibleRows));
}

/** Scroll position in rows; `totalRows` is 0 until the first drawing. */
export interface Scroll {
  readonly firstRow: number;
  readonly visibleRows: number;
  readonly totalRows: number;
}
