import type {Menu, MenuItem} from '../../src/app/menu.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Draw} from '../draw/draw.ts';
import {windowAround} from '../draw/window.ts';

const MOST_ROWS = 8;

/** The commands or files that fit what is typed, around the selected one. */
export function drawMenu({items, selected}: Menu, rows: number, draw: Draw): string[] {
  const {paint, signs, columns} = draw;
  const most = Math.min(rows, MOST_ROWS);
  const hasMore = items.length > most && most >= 3;
  const {from, to} = windowAround(selected, items.length, hasMore ? most - 1 : most);
  const shown = items.slice(from, to);
  // A path needs more room than a command's name, and its end tells more than its middle.
  const half = Math.floor(columns / 2);
  const widest = shown[0]?.file ? Math.max(half, columns - 20) : half;
  const labels = Math.min(widest, Math.max(...shown.map((item) => width(labelOf(item)))));
  const lines = shown.map((item, index) => {
    const isSelected = from + index === selected;
    const label = truncate(labelOf(item), labels, {position: item.file ? 'middle' : 'end'});
    const padding = ' '.repeat(Math.max(0, labels - width(label)));
    const about = sanitizeLine([item.unavailable, item.description].filter(Boolean).join(' '));
    const line = truncate(
      `${isSelected ? signs.selected : ' '} ${label}${padding}  ${about}`.trimEnd(),
      columns,
    );
    if (isSelected) return paint.selected(line);
    return item.unavailable === undefined ? line : paint.dim(line);
  });
  const count = `  ${selected + 1} of ${items.length}`;
  return hasMore ? [...lines, paint.dim(truncate(count, columns))] : lines;
}

function labelOf({text, argument}: MenuItem): string {
  return sanitizeLine(argument === undefined ? text : `${text} ${argument}`);
}
