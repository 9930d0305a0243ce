import {hasBoxes, BOX_SIDES} from '../../src/app/editor/layout.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Draw} from './draw.ts';
import {inside} from './lines.ts';

/** What a box needs of a drawing context. */
export type BoxDraw = Pick<Draw, 'columns' | 'isLinear'> & {
  readonly symbols: Pick<Draw['symbols'], 'rule' | 'bar' | 'corners' | 'ellipsis'>;
};

/** Columns of an edge that hold no words: a corner, a piece of rule and a blank at each side. */
const CORNERS = 6;
/** The least rule between the words at the left and those at the right, with its blanks. */
const GAP = 3;

/** True where what needs the user has a box: below 40 columns each column is for text, and a line read alone has no sides. */
export function hasBox({columns, isLinear}: BoxDraw): boolean {
  return !isLinear && hasBoxes(columns);
}

/** The drawing context for what stands in a box. */
export function insideBox(draw: Draw): Draw {
  return hasBox(draw) ? {...inside(draw, BOX_SIDES), isBoxed: true} : draw;
}

/** Returns the columns for words in an edge. */
export function edgeRoom({columns}: BoxDraw): number {
  return Math.max(0, columns - CORNERS);
}

/** Returns the same for a context inside the box; without a box words take a row. */
export function edgeRoomInside({columns, isBoxed = false}: Draw): number {
  return isBoxed ? columns + BOX_SIDES - CORNERS : columns;
}

/** Words in an edge of a box, already in their styles. */
interface EdgeWords {
  readonly left?: string;
  readonly right?: string;
}

/** Less than this of the words at the right says nothing. */
const LEAST = 8;

/** Draws the upper or lower edge of a box. What is at the right takes the room beside the rest, or is left out. */
export function drawEdge(
  which: 'top' | 'bottom',
  {left = '', right = ''}: EdgeWords,
  {style, draw}: {readonly style: Style; readonly draw: BoxDraw},
): string {
  const {rule, corners} = draw.symbols;
  const [first, last] = which === 'top' ? corners.top : corners.bottom;
  const room = edgeRoom(draw);
  const words = truncate(left, room);
  const used = width(words);
  const gap = used === 0 ? 0 : GAP;
  const free = room - used - gap;
  const beside = width(right) <= free ? right : free < LEAST ? '' : truncate(right, free);
  const start = words === '' ? style(first + rule) : `${style(first + rule)} ${words} `;
  const end = beside === '' ? style(rule + last) : ` ${beside} ${style(rule + last)}`;
  const between = Math.max(0, draw.columns - width(start) - width(end));
  return start + style(rule.repeat(between)) + end;
}

/** What terminals do not agree on how wide it is: a row with it could push its right side into the next row. */
const UNSURE = /\u200d|\ufe0f|\p{Mc}|\p{Regional_Indicator}|\p{Emoji_Modifier}/u;

/** Draws lines between the sides of a box; they must have been wrapped for `insideBox`. */
export function drawSides(
  lines: readonly string[],
  {style, draw}: {readonly style: Style; readonly draw: BoxDraw},
): string[] {
  const side = style(draw.symbols.bar);
  // The blank before the right side is where a caret may stand.
  const room = draw.columns - BOX_SIDES + 1;
  return lines.map((line) => {
    if (UNSURE.test(line)) return `${side} ${line}`;
    return `${side} ${line}${' '.repeat(Math.max(0, room - width(line)))}${side}`;
  });
}
