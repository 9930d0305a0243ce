import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import {drawRule} from '../draw/rule.ts';
import type {ScrolledLines} from '../draw/scrolled.ts';

export interface PageView {
  readonly title: string;
  readonly text: string;
  /** First row that is shown; held inside the text. */
  readonly firstRow: number;
  /** Rows that it may take. */
  readonly rows: number;
}

/** Text to read, scrolled. */
export function drawPage({title, text, firstRow, rows}: PageView, draw: Draw): ScrolledLines {
  const {paint, columns} = draw;
  const all = wrap(text, columns);
  const room = Math.max(1, rows - 2);
  const first = Math.max(0, Math.min(firstRow, all.length - room));
  const shown = all.slice(first, first + room);
  const isWhole = shown.length === all.length;
  const place = isWhole ? '' : ` (${first + 1} to ${first + shown.length} of ${all.length})`;
  const hint = isWhole ? 'Esc closes' : 'Page Up and Page Down scroll, Esc closes';
  const lines = [drawRule(title + place, paint.accent, draw), ...shown, drawRule(hint, paint.dim, draw)];
  return {lines, drawn: {firstRow: first, visibleRows: shown.length, totalRows: all.length}};
}
