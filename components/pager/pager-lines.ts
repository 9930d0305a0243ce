import type {Scroll} from '../../src/app/state.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Draw} from '../draw/draw.ts';
import type {ScrolledLines} from '../draw/scrolled.ts';

export interface PagerView {
  /** All of them, wrapped. */
  readonly lines: readonly string[];
  /** How it was drawn before. */
  readonly scroll: Scroll;
  /** Rows of the screen. */
  readonly rows: number;
  /** What is to be known meanwhile. */
  readonly news: string | undefined;
}

/** A screen full of lines, and where they stand. What is at its end stays there when more comes. */
export function drawPager({lines, scroll, rows, news}: PagerView, draw: Draw): ScrolledLines {
  // One row stays free: a frame as tall as the screen would have to be cleared each time.
  const room = Math.max(1, rows - 2);
  const last = Math.max(0, lines.length - room);
  const wasAtEnd = scroll.firstRow + scroll.visibleRows >= scroll.totalRows;
  const first = wasAtEnd ? last : Math.min(scroll.firstRow, last);
  const shown = lines.slice(first, first + room);
  const blank = Array.from({length: room - shown.length}, () => '');
  return {
    lines: [...shown, ...blank, drawPlace({first, shown: shown.length, total: lines.length, news}, draw)],
    drawn: {firstRow: first, visibleRows: shown.length, totalRows: lines.length},
  };
}

const scrolling = [
  'scroll_line_up',
  'scroll_line_down',
  'scroll_page_up',
  'scroll_page_down',
  'scroll_start',
  'scroll_end',
] as const;

interface Place {
  readonly first: number;
  readonly shown: number;
  readonly total: number;
  readonly news: string | undefined;
}

function drawPlace({first, shown, total, news}: Place, {paint, signs, columns, keyOf}: Draw): string {
  const place = total === 0 ? 'Nothing was said yet' : `Lines ${first + 1} to ${first + shown} of ${total}`;
  const keys = `${scrolling.map(keyOf).join(' ')} scroll`;
  const parts = [
    place,
    ...(news === undefined ? [] : [news]),
    keys,
    `${keyOf('close')} or ${keyOf('cancel_or_back')} closes`,
  ];
  const line = truncate(parts.join(` ${signs.dot} `), columns);
  return news === undefined ? paint.dim(line) : paint.warning(line);
}
