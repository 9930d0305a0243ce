import type {Draft} from './draft.ts';
import {clusters, previousEdge} from './graphemes.ts';
import type {Paste} from './pastes.ts';
import {rowOf, wrapText, type Row} from './rows.ts';
import {selectedIn} from './selection.ts';
import {isPlain, show} from './wrap.ts';

/** A draft as rows of a given width. */
export interface Layout {
  readonly columns: number;
  readonly rows: readonly Row[];
  /** Both from 0; the column counts cells, and is always less than `columns`. */
  readonly caret: {readonly row: number; readonly column: number};
}

/** A part of a row that is drawn in one style. */
export interface Piece {
  readonly kind: 'text' | 'placeholder';
  readonly text: string;
  readonly isSelected: boolean;
}

const layouts = new WeakMap<Draft, Layout>();

/** Wraps a draft for a number of columns, one of which is kept free for the caret. Cached by the draft's reference. */
export function layoutDraft(draft: Draft, columns: number): Layout {
  const known = layouts.get(draft);
  if (known?.columns === columns) return known;
  const rows = wrapText(draft.text, draft.pastes, columns);
  const row = rowOf(rows, draft.caret);
  const before = draft.text.slice(rows[row]?.from ?? 0, draft.caret);
  const column = isPlain(before) ? before.length : cellsOf(before, draft.pastes, columns);
  const layout: Layout = {columns, rows, caret: {row, column: Math.min(column, columns - 1)}};
  layouts.set(draft, layout);
  return layout;
}

function cellsOf(text: string, pastes: readonly Paste[], columns: number): number {
  let cells = 0;
  for (const {segment} of clusters(text)) cells += show(segment, pastes, Math.max(1, columns - 1)).width;
  return cells;
}

/** What is drawn in a row, tabs as blanks and placeholders as their labels. */
export function rowPieces(draft: Draft, row: Row, columns: number): readonly Piece[] {
  const text = draft.text.slice(row.from, row.to);
  const selected = selectedIn(draft);
  const isTouched = selected !== undefined && selected.from < row.to && selected.to > row.from;
  if (isPlain(text) && !isTouched) return [{kind: 'text', text, isSelected: false}];
  const pieces: Piece[] = [];
  for (const {segment, index} of clusters(text)) {
    const shown = show(segment, draft.pastes, Math.max(1, columns - 1));
    const at = row.from + index;
    const isSelected = isTouched && at >= selected.from && at < selected.to;
    const kind = shown.isPlaceholder ? 'placeholder' : 'text';
    const before = pieces.at(-1);
    if (before?.kind === kind && before.isSelected === isSelected)
      pieces[pieces.length - 1] = {...before, text: before.text + shown.text};
    else pieces.push({kind, text: shown.text, isSelected});
  }
  return pieces;
}

/** The offset in a row at a column, or the last one before it that the caret can have in this row. */
export function offsetAt(draft: Draft, row: Row, target: {column: number; columns: number}): number {
  const last = row.continues ? Math.max(row.from, previousEdge(draft.text, row.to)) : row.to;
  let cells = 0;
  for (const {segment, index} of clusters(draft.text.slice(row.from, last))) {
    cells += show(segment, draft.pastes, Math.max(1, target.columns - 1)).width;
    if (cells > target.column) return row.from + index;
  }
  return last;
}
