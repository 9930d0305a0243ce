import {wordsIn} from '../../src/app/find.ts';
import {sanitize} from '../../src/text/sanitize.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import {paintMarked} from '../draw/marked.ts';
import {drawRule} from '../draw/rule.ts';

/** Fewer rows have no room for a list and a preview. */
const LEAST_ROWS = 9;
/** What part of the rows goes to the preview: one in so many. */
const SHARE = 2.5;

export interface Previewed {
  /** What the selected item is; empty when it is nothing. */
  readonly text: string;
  readonly filter: string;
  /** Rows of the whole list. */
  readonly rows: number;
  /** What else may be selected; the preview is no taller than the tallest needs. Undefined where that is too much to look at. */
  readonly all: readonly string[] | undefined;
  /** Which part is shown where the filter finds nothing in it. */
  readonly part: 'beginning' | 'end';
}

/** What the selected item is, from where the filter found it; always as tall, so that the list does not jump from item to item. */
export function drawPreview({text, filter, rows, all, part}: Previewed, draw: Draw): string[] {
  if (rows < LEAST_ROWS) return [];
  const {paint, columns, signs} = draw;
  const most = Math.floor(rows / SHARE) - 1;
  const height = all ? Math.min(most, Math.max(...all.map((one) => heightOf(one, columns)))) : most;
  if (height === 0) return [];
  const source = sanitize(text).split('\n');
  const found = source.findIndex((line) => wordsIn(line, filter).length > 0);
  const start =
    found === -1 && part === 'end' ? Math.max(0, source.length - height) : found < height - 1 ? 0 : found - 1;
  const near = source.slice(start, start + height);
  const lines = near.flatMap((line) => {
    const head = line.slice(0, height * columns);
    return wrap(paintMarked(head, wordsIn(head, filter), paint.found), columns);
  });
  const isCut = start > 0 || lines.length > height || source.length > near.length;
  const words = isCut && source.length > 1 ? `${signs.ellipsis} ${source.length} lines` : '';
  const blank = Array.from({length: Math.max(0, height - lines.length)}, () => ' ');
  const shown = part === 'end' && found === -1 ? lines.slice(-height) : lines.slice(0, height);
  return [drawRule(words, paint.dim, draw), ...shown, ...blank];
}

function heightOf(text: string, columns: number): number {
  return text === '' ? 0 : wrap(sanitize(text), columns).length;
}
