import {stripStyles} from '../../src/text/ansi.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {width} from '../../src/text/width.ts';
import type {Viewer} from '../../src/app/pages/viewer-state.ts';
import type {Theme} from '../theme/theme.tsx';
import {paintMarked} from '../theme/paint.ts';
import {canFold} from './foldable-rows.ts';
import type {VisibleRows, VisibleRow} from './transcript-rows.ts';

/** The inputs of a view's rows besides the transcript. */
interface RowContext {
  readonly viewer: Viewer;
  readonly isFolded: (id: string) => boolean;
  readonly theme: Theme;
}

/** Returns the rows of a view, with folds, the selection and search matches marked; as many as fit. */
export function rowsOfView({rows}: VisibleRows, room: number, look: RowContext): string[] {
  const lines = rows.map((row) => markedRow(row, look));
  return [...lines, ...Array.from({length: Math.max(0, room - lines.length)}, () => '')];
}

function markedRow({text, entry, row, isHead}: VisibleRow, {viewer, isFolded, theme}: RowContext): string {
  if (viewer.search !== '') {
    const hit = viewer.typingFrom === undefined ? viewer.hits?.[viewer.hit ?? -1] : undefined;
    const isCurrent = hit !== undefined && hit.id === entry?.id && hit.row === row;
    return highlightMatches(text, viewer.search, isCurrent ? theme.paint.currentHit : theme.paint.hit);
  }
  if (entry === undefined || !isHead) return text;
  const marked = entry.id === viewer.selected && text.startsWith(' ') ? selected(text, theme) : text;
  return canFold(entry) ? withFold(marked, isFolded(entry.id), theme) : marked;
}

function selected(text: string, {paint, symbols}: Theme): string {
  return paint.accent(symbols.selected) + text.slice(1);
}

function withFold(text: string, isShut: boolean, {paint, symbols, columns}: Theme): string {
  const room = columns - width(text) - 1;
  if (room < 1) return text;
  return `${text}${' '.repeat(room)}${paint.dim(isShut ? symbols.folded : symbols.unfolded)}`;
}

/** Returns the rows that contain a text, ignoring case. */
export function rowsWith(lines: readonly string[], search: string): readonly number[] {
  const wanted = search.toLowerCase();
  if (wanted === '') return [];
  return lines.flatMap((line, row) => (stripStyles(line).toLowerCase().includes(wanted) ? [row] : []));
}

/** Highlights all matches in the line, without its own colors. */
export function highlightMatches(line: string, search: string, style: Style): string {
  const text = stripStyles(line);
  const [lower, wanted] = [text.toLowerCase(), search.toLowerCase()];
  if (wanted === '' || lower.length !== text.length) return line;
  const offsets: number[] = [];
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length))
    for (let place = at; place < at + wanted.length; place++) offsets.push(place);
  return offsets.length === 0 ? line : paintMarked(text, offsets, style);
}
