import {truncate, wrap} from '../../src/text/width.ts';
import type {Draw} from './draw.ts';

/** Wraps a text behind a sign; the lines after the first stand below the text, not below the sign. */
export function hanging(sign: string, text: string, {columns}: {readonly columns: number}): string[] {
  const lines = wrap(text, Math.max(1, columns - 2));
  return lines.map((line, index) => (index === 0 ? `${sign} ${line}` : `  ${line}`.trimEnd()));
}

/** Moves lines to the right; they must have been wrapped for a narrower width, see `inside`. */
export function indent(lines: readonly string[], by = 2): string[] {
  const margin = ' '.repeat(by);
  return lines.map((line) => (line === '' ? '' : margin + line));
}

/** The same drawing, for lines that will be indented. */
export function inside(draw: Draw, by = 2): Draw {
  return {...draw, columns: Math.max(1, draw.columns - by)};
}

export interface FoldOptions {
  /** How many lines to show, without the one that counts the others. */
  readonly most: number;
  /** Which end of the lines is shown. */
  readonly keep: 'head' | 'tail';
}

/** Shows a few of many lines, and says how many are hidden. */
export function fold(lines: readonly string[], {most, keep}: FoldOptions, draw: Draw): string[] {
  // A line that says "1 more line" takes the place of that line.
  if (lines.length <= most + 1) return [...lines];
  const hidden = lines.length - most;
  const {paint, signs} = draw;
  const count = (what: string) => paint.dim(truncate(`${signs.ellipsis} ${hidden}${what}lines`, draw.columns));
  if (most === 0) return [count(' ')];
  return keep === 'head'
    ? [...lines.slice(0, most), count(' more ')]
    : [count(' earlier '), ...lines.slice(-most)];
}

/** The start of a text that is long enough to fill some rows, so that nobody wraps a megabyte to show ten lines. */
export function enoughFor(text: string, {rows, columns}: {readonly rows: number; readonly columns: number}) {
  const most = (rows + 1) * columns * 2;
  return text.length <= most ? text : text.slice(0, most);
}
