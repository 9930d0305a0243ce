import type {Draft} from './draft.ts';
import {clusters, previousEdge} from './graphemes.ts';
import type {Paste} from './pastes.ts';
import {selectedIn} from './selection.ts';
import {isPlain, show, wrapLine} from './wrap.ts';

/** A draft as rows of a given width. */
export interface Layout {
  readonly columns: number;
  readonly rows: readonly Row[];
  /** Both from 0; the column counts cells, and is always less than `columns`. */
  readonly caret: {readonly row: number; readonly column: number};
}

/** Where a row stands in the draft's text, its line break left out. */
export interface Row {
  readonly from: number;
  readonly to: number;
  /** True when the line goes on in the next row, whose `from` is then this row's `to`. */
  readonly continues: boolean;
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

/** The last text that was wrapped: a key changes one line, and moving the caret none. */
let wrapped: {
  text: string;
  pastes: readonly Paste[];
  columns: number;
  rows: readonly Row[];
  /** Row starts of the lines that are dear to wrap. */
  lines: ReadonlyMap<string, readonly number[]>;
} = {text: '', pastes: [], columns: 0, rows: [], lines: new Map()};

function wrapText(text: string, pastes: readonly Paste[], columns: number): readonly Row[] {
  const isSame = wrapped.columns === columns && wrapped.pastes === pastes;
  if (isSame && wrapped.text === text) return wrapped.rows;
  const known = isSame ? wrapped.lines : undefined;
  const width = Math.max(1, columns - 1);
  const lines = new Map<string, readonly number[]>();
  const rows: Row[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    let starts = known?.get(line) ?? wrapLine(line, width, pastes);
    if (!isPlain(line)) lines.set(line, starts);
    for (const [at, start] of starts.entries()) {
      const end = starts[at + 1];
      rows.push({from: offset + start, to: offset + (end ?? line.length), continues: end !== undefined});
    }
    offset += line.length + 1;
  }
  wrapped = {text, pastes, columns, rows, lines};
  return rows;
}

/** The last row that begins at or before an offset. */
function rowOf(rows: readonly Row[], offset: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((rows[middle]?.from ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
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
