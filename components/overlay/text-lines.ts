import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import {drawRule} from '../draw/rule.ts';

export interface TextView {
  readonly title: string;
  readonly text: string;
  /** First row that is shown; held inside the text. */
  readonly scroll: number;
  readonly rows: number;
}

/** Text to read, scrolled. */
export function drawTextOverlay({title, text, scroll, rows}: TextView, draw: Draw): string[] {
  const {paint, columns} = draw;
  const lines = wrap(text, columns);
  const room = Math.max(1, rows - 2);
  const first = Math.max(0, Math.min(scroll, lines.length - room));
  const shown = lines.slice(first, first + room);
  const isWhole = shown.length === lines.length;
  const place = isWhole ? '' : ` (${first + 1} to ${first + shown.length} of ${lines.length})`;
  const hint = isWhole ? 'Esc closes' : 'Page Up and Page Down scroll, Esc closes';
  return [drawRule(title + place, paint.accent, draw), ...shown, drawRule(hint, paint.dim, draw)];
}
