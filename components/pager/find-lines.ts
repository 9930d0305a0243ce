import {stripStyles} from '../../src/text/ansi.ts';
import type {Draw} from '../draw/draw.ts';
import {paintMarked} from '../draw/marked.ts';

/** The rows that hold a text, whatever the case of its letters. */
export function rowsWith(lines: readonly string[], search: string): readonly number[] {
  const wanted = search.toLowerCase();
  if (wanted === '') return [];
  return lines.flatMap((line, row) => (stripStyles(line).toLowerCase().includes(wanted) ? [row] : []));
}

/** The line with all places of the text marked, without its own colours. */
export function markFound(line: string, search: string, {paint}: Draw): string {
  const text = stripStyles(line);
  const [lower, wanted] = [text.toLowerCase(), search.toLowerCase()];
  if (wanted === '' || lower.length !== text.length) return line;
  const offsets: number[] = [];
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length))
    for (let place = at; place < at + wanted.length; place++) offsets.push(place);
  return offsets.length === 0 ? line : paintMarked(text, offsets, paint.hit);
}
