import {hasBoxes, BOX_SIDES} from '../../src/app/editor/layout.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Theme} from '../theme/theme.tsx';
import {narrow} from './lines.ts';

/** Columns of an edge without text: a corner, a piece of rule and a blank on each side. */
const CORNERS = 6;
/** Minimum rule between the left and the right text, with its blanks. */
const GAP = 3;

/** True if there are boxes: below 40 columns every column is for text, and linear output has none. */
export function hasBox({columns, isLinear}: Theme): boolean {
  return !isLinear && hasBoxes(columns);
}

/** Returns the theme for the inside of a box. */
export function insideBox(theme: Theme): Theme {
  return hasBox(theme) ? {...narrow(theme, BOX_SIDES), isBoxed: true} : theme;
}

/** Returns the columns for text in an edge. */
export function edgeRoom({columns}: Theme): number {
  return Math.max(0, columns - CORNERS);
}

/** Returns the columns for text in an edge, from the context inside the box; without a box, all columns of the text's own row. */
export function edgeRoomInside({columns, isBoxed = false}: Theme): number {
  return isBoxed ? columns + BOX_SIDES - CORNERS : columns;
}

/** Minimum width of the right text. */
const MIN_WIDTH = 8;

export interface EdgeProps {
  readonly side: 'top' | 'bottom';
  readonly color: Style;
  /** Words at the left, and at the right if they fit. */
  readonly left?: string;
  readonly right?: string;
}

/** Returns the upper or lower edge of a box. The right text gets the remaining space, or is left out. */
export function edgeRow({side, color, left = '', right = ''}: EdgeProps, theme: Theme): string {
  const {rule, corners} = theme.symbols;
  const [first, last] = side === 'top' ? corners.top : corners.bottom;
  const room = edgeRoom(theme);
  const words = truncate(left, room);
  const used = width(words);
  const gap = used === 0 ? 0 : GAP;
  const free = room - used - gap;
  const beside = width(right) <= free ? right : free < MIN_WIDTH ? '' : truncate(right, free);
  const start = words.trim() === '' ? color(first + rule) : `${color(first + rule)} ${words} `;
  const end = beside === '' ? color(rule + last) : ` ${beside} ${color(rule + last)}`;
  // Some terminals give marks a width, and the edge would wrap.
  const slack = (words + beside).match(MARKS)?.length ?? 0;
  const between = Math.max(0, theme.columns - width(start) - width(end) - slack);
  return start + color(rule.repeat(between)) + end;
}

const MARKS = /\p{M}/gu;

/** Characters whose width differs between terminals: a row with one could wrap at its right side. */
const UNSURE = /\u200d|\ufe0f|\p{Mc}|\p{Regional_Indicator}|\p{Emoji_Modifier}/u;

/** True if a line is as wide in every terminal, so that something can stand behind it. */
export function hasSureWidth(line: string): boolean {
  return !UNSURE.test(line);
}

/** Puts a line between the sides of a box; it must have been cut for `insideBox`. */
export function rowBetweenSides(line: string, style: Style, {symbols, columns}: Theme): string {
  const side = style(symbols.bar);
  // The blank before the right side can hold the caret.
  const blank = ' '.repeat(Math.max(0, columns - BOX_SIDES + 1 - width(line)));
  return `${side} ${line}${hasSureWidth(line) ? blank + side : ''}`;
}
