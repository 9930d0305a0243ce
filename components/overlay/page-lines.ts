import type {Draw} from '../draw/draw.ts';
import {drawRule} from '../draw/rule.ts';
import type {ScrolledLines} from '../draw/scrolled.ts';

export interface PageView {
  readonly title: string;
  /** All of them, wrapped. */
  readonly lines: readonly string[];
  /** First row that is shown; held inside the page. */
  readonly firstRow: number;
  /** Rows that the page may take. */
  readonly rows: number;
  /** A key that does something on this page alone, in words. */
  readonly keys?: string | undefined;
}

/** Something to read, scrolled. */
export function drawPage({title, lines, firstRow, rows, keys}: PageView, draw: Draw): ScrolledLines {
  const {paint} = draw;
  const room = Math.max(1, rows - 2);
  const first = Math.max(0, Math.min(firstRow, lines.length - room));
  const shown = lines.slice(first, first + room);
  const isWhole = shown.length === lines.length;
  const place = isWhole ? '' : ` (${first + 1} to ${first + shown.length} of ${lines.length})`;
  const hint =
    (isWhole ? '' : `${draw.keyOf('scroll_page_up')} and ${draw.keyOf('scroll_page_down')} scroll, `) +
    (keys === undefined ? '' : `${keys}, `) +
    `${draw.keyOf('cancel_or_back')} closes`;
  return {
    lines: [drawRule(title + place, paint.accent, draw), ...shown, drawRule(hint, paint.dim, draw)],
    drawn: {firstRow: first, visibleRows: shown.length, totalRows: lines.length},
  };
}
