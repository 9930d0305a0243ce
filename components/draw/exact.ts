import {hasHidden, markHidden} from '../../src/text/hidden.ts';
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
  const [first = '', ...more] = wrapWhole(marked, columns);
  if (more.length === 0) return [first];
  const [head = '', ...rest] = wrapWhole(marked, Math.max(1, columns - 2));
  return [head, ...rest.map((row) => `${paint.dim(signs.continued)} ${row}`)];
}

/** Sets off what others wrote from what we say: it cannot reach the edge, where our own frame and answers are. */
export function barred(lines: readonly string[], {paint, signs}: Draw): string[] {
  return lines.map((line) => `${paint.dim(signs.bar)} ${line}`.trimEnd());
}
