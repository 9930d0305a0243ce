import {messageText} from '../../src/session/selectors.ts';
import {stripStyles} from '../../src/text/ansi.ts';
import {isPictureRow} from '../../src/text/pictures/cells.ts';
import {graphemes, joinedWidth} from '../../src/text/width.ts';
import type {Theme} from '../theme/theme.tsx';
import {paintMarked} from '../theme/paint.ts';
import type {VisibleRows, VisibleRow} from './transcript-rows.ts';

/** A cell of the visible transcript, from 0; rows above it are negative. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** A mouse selection between two cells, inclusive, in the order of the drag. */
export interface Selection {
  readonly from: Cell;
  readonly to: Cell;
}

/** Returns the offsets of the selected part of a row; undefined if nothing in it is selected. */
function selectedPart(text: string, row: number, selection: Selection): [number, number] | undefined {
  const [first, last] = inOrder(selection);
  if (row < first.row || row > last.row) return undefined;
  const from = row === first.row ? offsetAt(text, first.column) : 0;
  const to = row === last.row ? offsetAt(text, last.column + 1) : text.length;
  return [from, to];
}

function inOrder({from, to}: Selection): readonly [Cell, Cell] {
  const isForward = from.row < to.row || (from.row === to.row && from.column <= to.column);
  return isForward ? [from, to] : [to, from];
}

/** Returns the offset at a column of a text without styles. */
function offsetAt(text: string, column: number): number {
  let offset = 0;
  let at = 0;
  for (const character of graphemes(text)) {
    if (at >= column) break;
    at += joinedWidth(character);
    offset += character.length;
  }
  return offset;
}

/** Returns the row with its selected part highlighted, without its own colors. */
export function markSelected(line: string, row: number, selection: Selection, {paint}: Theme): string {
  if (isPictureRow(line)) return line;
  const text = stripStyles(line);
  const part = selectedPart(text, row, selection);
  if (part === undefined || part[0] === part[1]) return line;
  const offsets = Array.from({length: part[1] - part[0]}, (_, index) => part[0] + index);
  return paintMarked(text, offsets, paint.selected);
}

/** Decorations of the first columns: the margin, bars and marks. */
const DECORATION = /^(?:▌ ?|\| ?| {1,4}(?:[│|] ?)?)/;

/** Returns the selected text: the source of messages that are selected completely, otherwise the rows without decoration. */
export function selectedText({rows}: Pick<VisibleRows, 'rows'>, selection: Selection): string {
  const [start, last] = inOrder(selection);
  const first = start.row < 0 ? {row: 0, column: 0} : start;
  const shown = rows.slice(first.row, Math.max(0, last.row + 1));
  const end = stripStyles(shown.at(-1)?.text ?? '');
  const whole = last.column + 1 >= joinedWidth(end) ? shown : shown.slice(0, -1);
  const lines: string[] = [];
  for (let index = 0; index < shown.length; index++) {
    const row = shown[index];
    if (row === undefined) continue;
    const source = index === 0 && first.column > 3 ? undefined : sourceFrom(whole, index);
    if (source !== undefined) {
      lines.push(source.text);
      index += source.rows - 1;
      continue;
    }
    if (isPictureRow(row.text)) continue;
    const text = stripStyles(row.text);
    const [from, to] = selectedPart(text, first.row + index, selection) ?? [0, 0];
    const margin = DECORATION.exec(text)?.[0].length ?? 0;
    lines.push(text.slice(Math.max(from, Math.min(margin, to)), to).trimEnd());
  }
  return lines.join('\n').trim();
}

/** Returns the source of a message whose rows are all selected from this one on. */
function sourceFrom(rows: readonly VisibleRow[], at: number) {
  const row = rows[at];
  if (row?.entry?.type !== 'agent_message' && row?.entry?.type !== 'user_message') return undefined;
  const count = row.height - row.row;
  const isWhole = row.row <= 1 && rows.length - at >= count;
  if (!isWhole) return undefined;
  return {
    text: `${row.row === 0 && row.text === '' ? '\n' : ''}${messageText(row.entry).trim()}`,
    rows: count,
  };
}
