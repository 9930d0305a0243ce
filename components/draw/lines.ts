import type {Style} from '../../src/text/markdown/style.ts';
import {width} from '../../src/text/width.ts';
import {truncate} from '../../src/text/truncate.ts';
import {wrap} from '../../src/text/wrap.ts';
import {type DrawContext, withBar} from './draw.ts';

/** Wraps a text after a symbol, with a hanging indent. */
export function wrapHanging(sign: string, text: string, {columns}: {readonly columns: number}): string[] {
  if (sign === '') return wrap(text, columns);
  const lines = wrap(text, Math.max(1, columns - 2));
  return lines.map((line, index) => (index === 0 ? `${sign} ${line}` : `  ${line}`.trimEnd()));
}

/** Minimum width for surfaces. */
const COLUMNS_FOR_SURFACES = 40;

/** Draws lines on a full-width surface, if the theme has colors for it. */
export function onSurface(lines: readonly string[], {paint: {surface}, columns}: DrawContext): string[] {
  if (surface === undefined || columns < COLUMNS_FOR_SURFACES) return [...lines];
  return lines.map((line) => surface(line + ' '.repeat(Math.max(0, columns - width(line)))));
}

/** Indents lines, which must have been wrapped for a narrower width, see `narrow`. */
export function indent(lines: readonly string[], by = 2): string[] {
  const margin = ' '.repeat(by);
  return lines.map((line) => (line === '' ? '' : margin + line));
}

/** Minimum width for a margin. */
const COLUMNS_FOR_MARGIN = 34;
const MARGIN = 2;

/** Indents everything but the user's own text, so that it is recognizable and nothing else can reach its bar. */
export function drawBesideMargin(
  draw: DrawContext,
  drawLines: (inner: DrawContext) => readonly string[],
): readonly string[] {
  if (draw.columns < COLUMNS_FOR_MARGIN || draw.isLinear) return drawLines(draw);
  return indent(drawLines(narrow(draw, MARGIN)), MARGIN);
}

/** Draws a tool's result after a bar, if it fits. */
export function drawBehindBar(draw: DrawContext, drawLines: (inner: DrawContext) => string[]): string[] {
  if (draw.columns < COLUMNS_FOR_MARGIN || draw.isLinear) return drawLines(draw);
  return withBar(drawLines(narrow(draw)), draw);
}

/** Returns a narrower drawing context, for lines that will be indented. */
export function narrow(draw: DrawContext, by = 2): DrawContext {
  return {...draw, columns: Math.max(1, draw.columns - by)};
}

export interface CollapseOptions {
  /** Maximum number of lines, without the one that counts the hidden ones. */
  readonly most: number;
  /** Which end of the lines is kept. */
  readonly keep: 'head' | 'tail';
  /** Number of lines cut beforehand, so that a megabyte is not wrapped to show ten lines. */
  readonly hidden?: number;
  /** How to show them, added to the count. */
  readonly how?: string;
}

/** Collapses many lines to a few and a count of the hidden ones. */
export function collapse(
  lines: readonly string[],
  {most, keep, hidden: before = 0, how}: CollapseOptions,
  draw: DrawContext,
): string[] {
  // "1 more line" would take as much space as the line itself.
  if (before === 0 && lines.length <= most + 1) return [...lines];
  const hidden = lines.length - Math.min(most, lines.length) + before;
  const {paint, symbols} = draw;
  const count = (which: string) => {
    const noun = hidden === 1 ? 'line' : 'lines';
    const note = how === undefined ? '' : ` ${symbols.dot} ${how}`;
    return paint.dim(truncate(`${symbols.ellipsis} ${hidden} ${which}${noun}${note}`, draw.columns));
  };
  if (most === 0) return [count('')];
  return keep === 'head'
    ? [...lines.slice(0, most), count('more ')]
    : [count('earlier '), ...lines.slice(-most)];
}

/** Wraps and collapses a long text; wraps hardly more than what is shown. */
export function wrapCollapsed(text: string, options: CollapseOptions, draw: DrawContext): string[] {
  const {most, keep} = options;
  const source = text.split('\n');
  const near = keep === 'head' ? source.slice(0, most + 1) : source.slice(-most - 1);
  const longest = (most + 2) * draw.columns;
  let hidden = (options.hidden ?? 0) + source.length - near.length;
  const lines = near.flatMap((line) => {
    if (line.length <= longest) return wrap(line, draw.columns);
    hidden += Math.ceil((line.length - longest) / draw.columns);
    return wrap(keep === 'head' ? line.slice(0, longest) : line.slice(-longest), draw.columns);
  });
  return collapse(lines, {...options, hidden}, draw);
}

/** Wraps a text: its first lines where it is folded, and all of it in the full transcript, and in linear mode, which has none. */
export function wrapHead(text: string, most: number, draw: DrawContext): string[] {
  if (draw.extent !== 'folded' || draw.isLinear) return wrap(text, draw.columns);
  return wrapCollapsed(text, {most, keep: 'head', how: `${draw.keyOf('open_transcript')} show all`}, draw);
}

/** Draws a name behind a sign, and facts after it, which are cut first; the name keeps half of the row. */
export function drawNamed(
  name: string,
  style: Style,
  {facts, draw: {columns, paint, symbols}}: {readonly facts: readonly string[]; readonly draw: DrawContext},
): string {
  const tail = facts.map((fact) => ` ${symbols.dot} ${fact}`).join('');
  const shown = truncate(name, Math.max(columns - 2 - width(tail), Math.floor(columns / 2), 1));
  return style(shown) + paint.dim(truncate(tail, Math.max(0, columns - 2 - width(shown))));
}

/** Puts one text at the left edge and one at the right, if both fit. */
export function spaceBetween(left: string, right: string, columns: number): string {
  const room = columns - width(left) - width(right);
  return room < 1 ? truncate(left, columns) : `${left}${' '.repeat(room)}${right}`.trimEnd();
}
