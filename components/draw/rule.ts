import type {Style} from '../../src/text/markdown/style.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Draw} from './draw.ts';

/** A line across the screen with words in it; it frames without getting into what is copied from between. */
export function drawRule(words: string, style: Style, {columns, signs}: Draw): string {
  if (words === '') return style(signs.rule.repeat(columns));
  const text = truncate(words, Math.max(0, columns - 4));
  const head = `${signs.rule} ${text} `;
  return style(truncate(head + signs.rule.repeat(Math.max(0, columns - width(head))), columns));
}
