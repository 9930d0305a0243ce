import {hasHidden, markHidden} from '../../src/text/hidden.ts';
import {width} from '../../src/text/width.ts';
import {expandTabs, wrapWhole} from '../../src/text/wrap.ts';
import type {Theme} from './theme.tsx';

/** Shows an exact reading, with its escapes in the warning color. */
export function markEscapes(exact: string, {paint}: Pick<Theme, 'paint'>): string {
  return hasHidden(exact) ? markHidden(exact, paint.warning) : exact;
}

/** Returns the rows of an exact reading completely: spaces are kept, and continuation rows are marked. */
export function rowsOfExact(exact: string, theme: Theme): string[] {
  return exact.split('\n').flatMap((line) => rowsOfExactLine(line, theme));
}

function rowsOfExactLine(line: string, theme: Theme): string[] {
  const {columns, paint} = theme;
  const marked = markEscapes(expandTabs(line), theme);
  if (width(marked) <= columns) return [marked];
  const [head = '', ...rest] = wrapWhole(marked, Math.max(1, columns - 2));
  const mark = paint.dim('┆');
  return [head, ...rest.map((row) => `${mark} ${row}`)];
}
