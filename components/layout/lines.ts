import type {Style} from '../../src/text/markdown/style.ts';
import {padded, width} from '../../src/text/width.ts';
import {truncate} from '../../src/text/truncate.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Theme} from '../theme/theme.tsx';

/** Wraps a text after a symbol, with a hanging indent. */
export function wrapHanging(sign: string, text: string, {columns}: {readonly columns: number}): string[] {
  if (sign === '') return wrap(text, columns);
  const lines = wrap(text, Math.max(1, columns - 2));
  return lines.map((line, index) => (index === 0 ? `${sign} ${line}` : `  ${line}`.trimEnd()));
}

/** Returns the rows of a warning. */
export function rowsOfWarning(text: string, theme: Theme): string[] {
  return wrapHanging(theme.symbols.warning, text, theme).map((line) => theme.paint.warning(line));
}

/** Minimum width for surfaces. */
const COLUMNS_FOR_SURFACES = 40;

/** Returns lines on a full-width surface, if the theme has colors for it. */
export function onSurface(lines: readonly string[], {paint: {surface}, columns}: Theme): string[] {
  if (surface === undefined || columns < COLUMNS_FOR_SURFACES) return [...lines];
  return lines.map((line) => surface(padded(line, columns)));
}

/** Indents lines, which must have been wrapped for a narrower width, see `narrow`. */
export function indent(lines: readonly string[], by = 2): string[] {
  const margin = ' '.repeat(by);
  return lines.map((line) => (line === '' ? '' : margin + line));
}

/** Minimum width for a margin. */
const COLUMNS_FOR_MARGIN = 34;

/** Indents everything but the user's own text, so that it is recognizable and nothing else can reach its bar. */
export function rowsInMargin(theme: Theme, rowsOf: (inner: Theme) => readonly string[]): readonly string[] {
  if (!hasMargin(theme)) return rowsOf(theme);
  return indent(rowsOf(narrow(theme)));
}

function hasMargin({columns, isLinear}: Theme): boolean {
  return columns >= COLUMNS_FOR_MARGIN && !isLinear;
}

/** Returns the rows of a tool's result after a bar, if it fits. */
export function rowsBehindBar(theme: Theme, rowsOf: (inner: Theme) => string[]): string[] {
  if (!hasMargin(theme)) return rowsOf(theme);
  return rowsOf(narrow(theme)).map(afterBar(theme));
}

/** Returns a function that draws one untrusted line after a bar: it cannot reach the edge, where acp-tui's own frame and answers are. */
export function afterBar({paint, symbols}: Theme): (line: string) => string {
  const bar = paint.line(symbols.bar);
  return (line) => `${bar} ${line}`.trimEnd();
}

/** Returns the row of a choice behind a mark: over the whole width if it is the selected one. */
export function choiceRow(words: string, isSelected: boolean, {paint, symbols, columns}: Theme): string {
  const line = truncate(`${isSelected ? symbols.selected : ' '} ${words}`, columns);
  return isSelected ? paint.selected(padded(line, columns)) : line;
}

/** Returns a narrower theme, for lines that will be indented. */
export function narrow(theme: Theme, by = 2): Theme {
  return {...theme, columns: Math.max(1, theme.columns - by)};
}

export interface CollapseOptions {
  /** Maximum number of lines, without the one that counts the hidden ones. */
  readonly most: number;
  /** Which end of the lines is kept. */
  readonly keep: 'head' | 'tail';
  /** Number of lines cut beforehand, so that a megabyte is not wrapped to show ten lines. */
  readonly hidden?: number;
}

/** Collapses many lines to a few, and a count of the hidden ones with how to see them. */
export function collapse(
  lines: readonly string[],
  {most, keep, hidden: before = 0}: CollapseOptions,
  theme: Theme,
): string[] {
  // "1 more line" would take as much space as the line itself.
  if (before === 0 && lines.length <= most + 1) return [...lines];
  const hidden = lines.length - Math.min(most, lines.length) + before;
  const {paint, columns, extent, keyOf} = theme;
  const how = extent === 'folded' ? `${keyOf('open_transcript')} show all` : 'not kept';
  const count = (which: string) => {
    const words = `${hidden} ${which}${hidden === 1 ? 'line' : 'lines'} · ${how}`;
    return paint.dim(truncate(`… ${words}`, columns));
  };
  if (most === 0) return [count('')];
  return keep === 'head'
    ? [...lines.slice(0, most), count('more ')]
    : [count('earlier '), ...lines.slice(-most)];
}

/** Wraps and collapses a long text; wraps hardly more than what is shown. */
export function wrapCollapsed(text: string, options: CollapseOptions, theme: Theme): string[] {
  const {most, keep} = options;
  const source = text.split('\n');
  const near = keep === 'head' ? source.slice(0, most + 1) : source.slice(-most - 1);
  const longest = (most + 2) * theme.columns;
  let hidden = (options.hidden ?? 0) + source.length - near.length;
  const lines = near.flatMap((line) => {
    if (line.length <= longest) return wrap(line, theme.columns);
    hidden += Math.ceil((line.length - longest) / theme.columns);
    return wrap(keep === 'head' ? line.slice(0, longest) : line.slice(-longest), theme.columns);
  });
  return collapse(lines, {...options, hidden}, theme);
}

/** Wraps a text: its first lines where it is folded, and all of it in the full transcript, and in linear mode, which has none. */
export function wrapHead(text: string, most: number, theme: Theme): string[] {
  if (theme.extent !== 'folded' || theme.isLinear) return wrap(text, theme.columns);
  return wrapCollapsed(text, {most, keep: 'head'}, theme);
}

/** Returns a name behind a sign, and facts after it, which are cut first; the name keeps half of the row. */
export function namedRow(name: string, style: Style, facts: readonly string[], {columns, paint}: Theme) {
  const tail = facts.map((fact) => ` · ${fact}`).join('');
  const shown = truncate(name, Math.max(columns - 2 - width(tail), Math.floor(columns / 2), 1));
  return style(shown) + paint.dim(truncate(tail, Math.max(0, columns - 2 - width(shown))));
}

/** Puts one text at the left edge and one at the right, if both fit. */
export function spaceBetween(left: string, right: string, columns: number): string {
  const room = columns - width(left) - width(right);
  return room < 1 ? truncate(left, columns) : `${left}${' '.repeat(room)}${right}`.trimEnd();
}
