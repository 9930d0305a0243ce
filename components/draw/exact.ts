import {hasHidden, markHidden} from '../../src/text/hidden.ts';
import {width} from '../../src/text/width.ts';
import {expandTabs, wrapWhole} from '../../src/text/wrap.ts';
import type {Draw} from './draw.ts';

/** A text that was read exactly, its escapes in the warning colour. */
export function markEscapes(exact: string, {paint}: Pick<Draw, 'paint'>): string {
  return hasHidden(exact) ? markHidden(exact, paint.warning) : exact;
}

/** All of a text that was read exactly: no space is lost, and a row that continues a line is marked. */
export function drawExact(exact: string, draw: Draw): string[] {
  return exact.split('\n').flatMap((line) => drawExactLine(line, draw));
}

function drawExactLine(line: string, draw: Draw): string[] {
  const {columns, paint, signs} = draw;
  const marked = markEscapes(expandTabs(line), draw);
  if (width(marked) <= columns) return [marked];
  const [head = '', ...rest] = wrapWhole(marked, Math.max(1, columns - 2));
  const mark = paint.dim(signs.continued);
  return [head, ...rest.map((row) => `${mark} ${row}`)];
}

/** Sets off what others wrote from what we say: it cannot reach the edge, where our own frame and answers are. */
export function barred(lines: readonly string[], {paint, signs}: Draw): string[] {
  const bar = paint.dim(signs.bar);
  return lines.map((line) => `${bar} ${line}`.trimEnd());
}
