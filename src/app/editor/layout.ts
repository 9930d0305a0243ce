import {truncate} from '../../text/truncate.ts';
import {width as cellsOf, joinedWidth} from '../../text/width.ts';
import {selectedSpan} from '../vim/visual.ts';
import type {Draft} from './draft.ts';
import {clusters, previousEdge, lineEnd, nextEdge} from './graphemes.ts';
import {type Paste, placeholderIndex, placeholderLabel} from './pastes.ts';

/** A draft wrapped to a width. */
export interface Layout {
  readonly columns: number;
  readonly rows: readonly Row[];
  /** Both from 0; the column is in cells, and always less than `columns`. */
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
  const column = isPlain(before) ? before.length : columnsBefore(before, draft.pastes, columns);
  const layout: Layout = {columns, rows, caret: {row, column: Math.min(column, columns - 1)}};
  layouts.set(draft, layout);
  return layout;
}

function columnsBefore(text: string, pastes: readonly Paste[], columns: number): number {
  let cells = 0;
  for (const {segment} of clusters(text))
    cells += joinedWidth(show(segment, pastes, Math.max(1, columns - 1)).text);
  return cells;
}

/** Returns the pieces of a row for display, with tabs expanded and placeholders as labels. */
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

/** Returns the offset at a column of a row, or the row's last caret position before it. */
export function offsetAt(draft: Draft, row: Row, target: {column: number; columns: number}): number {
  const last = row.continues ? Math.max(row.from, previousEdge(draft.text, row.to)) : row.to;
  let cells = 0;
  for (const {segment, index} of clusters(draft.text.slice(row.from, last))) {
    cells += joinedWidth(show(segment, draft.pastes, Math.max(1, target.columns - 1)).text);
    if (cells > target.column) return row.from + index;
  }
  return last;
}

/** The range of a row in the draft's text, without its line break. */
interface Row {
  readonly from: number;
  readonly to: number;
  /** True if the line continues in the next row, whose `from` is this row's `to`. */
  readonly continues: boolean;
}

interface Wrapped {
  readonly text: string;
  readonly pastes: readonly Paste[];
  readonly columns: number;
  readonly rows: readonly Row[];
}

/** The end of a row depends only on it and the next two rows: on a word, and on characters that combine with its last one. */
const ROWS_THAT_DECIDE = 3;

/** The last wrapped text: a key press changes few rows, and moving the caret none. */
let last: Wrapped = {text: '', pastes: [], columns: 0, rows: []};

/** Returns the rows of a text; the cost of a change is independent of the rest of the text. */
function wrapText(text: string, pastes: readonly Paste[], columns: number): readonly Row[] {
  const isSame = last.columns === columns && last.pastes === pastes && last.rows.length > 0;
  if (isSame && last.text === text) return last.rows;
  const wanted = {text, pastes, columns};
  const rows = isSame ? rewrap(last, wanted) : [...rowsFrom(0, wanted)];
  last = {...wanted, rows};
  return rows;
}

type Wanted = Omit<Wrapped, 'rows'>;

/** Reuses the rows before the change, and those after it from the first row that starts at the same position. */
function rewrap(old: Wrapped, wanted: Wanted): readonly Row[] {
  const {text} = wanted;
  const same = sameStart(old.text, text);
  const behind = sameEnd(old.text, text, Math.min(old.text.length, text.length) - same);
  const kept = Math.max(0, rowOf(old.rows, same) - ROWS_THAT_DECIDE);
  const rows = old.rows.slice(0, kept);
  const shift = text.length - old.text.length;
  for (const row of rowsFrom(old.rows[kept]?.from ?? 0, wanted)) {
    if (row.from >= text.length - behind) {
      const at = rowOf(old.rows, row.from - shift);
      if (old.rows[at]?.from === row.from - shift) return [...rows, ...shifted(old.rows.slice(at), shift)];
    }
    rows.push(row);
  }
  return rows;
}

function shifted(rows: readonly Row[], shift: number): readonly Row[] {
  if (shift === 0) return rows;
  return rows.map(({from, to, continues}) => ({from: from + shift, to: to + shift, continues}));
}

/** Yields the rows from an offset at which one starts. */
function* rowsFrom(offset: number, {text, pastes, columns}: Wanted): Generator<Row> {
  const width = Math.max(1, columns - 1);
  for (let from = offset; from <= text.length;) {
    const end = lineEnd(text, from);
    let start = from;
    for (const at of wrapLine(text.slice(from, end), width, pastes)) {
      yield {from: start, to: from + at, continues: true};
      start = from + at;
    }
    yield {from: start, to: end, continues: false};
    from = end + 1;
  }
}

/** Returns the last row that starts at or before an offset. */
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

/** Long texts are compared in pieces, which is as fast as comparing memory. */
const PIECE = 4096;

function sameStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at + PIECE <= most && one.slice(at, at + PIECE) === other.slice(at, at + PIECE)) at += PIECE;
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

function sameEnd(one: string, other: string, most: number): number {
  const pieceOf = (text: string, behind: number) =>
    text.slice(text.length - behind - PIECE, text.length - behind);
  let behind = 0;
  while (behind + PIECE <= most && pieceOf(one, behind) === pieceOf(other, behind)) behind += PIECE;
  while (
    behind < most &&
    one.charCodeAt(one.length - 1 - behind) === other.charCodeAt(other.length - 1 - behind)
  )
    behind++;
  return behind;
}

/** A tab is displayed as blanks but sent as a tab. */
const TAB = '    ';
const MAX_WIDTHS_KEPT = 4096;
const widths = new Map<string, number>();

/** A grapheme cluster for display, and its width in cells. */
interface Shown {
  readonly text: string;
  readonly width: number;
  readonly isPlaceholder: boolean;
}

/** Returns how to display a cluster if at most `most` cells are free in the row. */
function show(cluster: string, pastes: readonly Paste[], most: number): Shown {
  if (cluster === '\t')
    return {text: TAB.slice(0, most), width: Math.min(TAB.length, most), isPlaceholder: false};
  const index = pastes.length > 0 ? placeholderIndex(cluster, pastes) : undefined;
  const paste = pastes[index ?? -1];
  if (index === undefined || !paste) return {text: cluster, width: widthOf(cluster), isPlaceholder: false};
  const label = placeholderLabel(index, pastes);
  const text = truncate(label, most);
  return {text, width: cellsOf(text), isPlaceholder: true};
}

function widthOf(cluster: string): number {
  let width = widths.get(cluster);
  if (width === undefined) {
    if (widths.size >= MAX_WIDTHS_KEPT) widths.clear();
    width = cellsOf(cluster);
    widths.set(cluster, width);
  }
  return width;
}

/** Text in which every character takes one cell. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/**
 * Yields the start of each further row of a word-wrapped line, lazily. A row is at most `width` cells wide, plus one blank if the line continues: `width + 1`
 * always has a cell for the caret.
 */
function* wrapLine(line: string, width: number, pastes: readonly Paste[]): Generator<number> {
  if (!isPlain(line)) {
    yield* wrapClusters(line, width, pastes);
    return;
  }
  let start = 0;
  while (line.length - start > width) {
    start = plainBreak(line, start, width);
    yield start;
  }
}

function plainBreak(line: string, start: number, width: number): number {
  for (let at = start + width; at >= start; at--) if (line.charAt(at) === ' ') return at + 1;
  return start + width;
}

function* wrapClusters(line: string, width: number, pastes: readonly Paste[]): Generator<number> {
  let start = 0;
  let column = 0;
  let opening = {at: 0, column: 0};
  for (const {segment, index} of clusters(line)) {
    const cells = show(segment, pastes, width).width;
    // A blank may occupy the caret's cell at the edge.
    const limit = segment === ' ' ? width + 1 : width;
    while (column + cells > limit && index > start) {
      const cut = opening.at > start ? opening : {at: index, column};
      start = cut.at;
      column -= cut.column;
      opening = {at: 0, column: 0};
      yield start;
    }
    column += cells;
    if (segment === ' ' || cells > 1) opening = {at: index + segment.length, column};
  }
  if (column > width && start < line.length) yield line.length;
}

/** The size of the screen, in cells. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** The visible rows of a draft. */
export interface Viewport {
  readonly top: number;
  readonly height: number;
}

/** Minimum number of columns for boxes. */
const COLUMNS_FOR_BOXES = 40;
/** Width of both sides of a box, including blanks. */
export const BOX_SIDES = 4;
/** Width of the prompt's symbol. */
const PROMPT_MARK = 2;

/** True if a screen of this width has room for boxes. */
export function hasBoxes(columns: number): boolean {
  return columns >= COLUMNS_FOR_BOXES;
}

/** Returns the inner width of a full-width box, if there is room for one. */
export function insideColumns(columns: number): number {
  return hasBoxes(columns) ? columns - BOX_SIDES : columns;
}

/** Returns the width of the draft on a screen of this width, including the caret's cell, which replaces a blank. */
export function promptColumns(columns: number): number {
  return hasBoxes(columns) ? columns - BOX_SIDES - PROMPT_MARK + 1 : columns;
}

/** Minimum number of rows for the line above the prompt. */
const ROWS_FOR_RULE = 8;

/** True if there is room for a line above the prompt. */
export function hasRule(screen: ScreenSize): boolean {
  return screen.rows >= ROWS_FOR_RULE;
}

/** Returns the height of the prompt in rows, with the line above it; at most a third of the screen. */
export function promptHeight(draft: Draft, screen: ScreenSize): number {
  const {height} = viewportOf(layoutDraft(draft, promptColumns(screen.columns)), screen, 0);
  return height + (hasRule(screen) ? 1 : 0);
}

/** Scrolls as little as necessary to keep the caret visible; `top` is the previous first row. */
export function viewportOf(layout: Layout, screen: ScreenSize, top: number): Viewport {
  const height = Math.min(layout.rows.length, Math.max(1, Math.floor(screen.rows / 3)));
  const {row} = layout.caret;
  const near = Math.min(Math.max(top, row - height + 1), row);
  return {top: Math.max(0, Math.min(near, layout.rows.length - height)), height};
}

/** Returns the selected range: the placeholder at the caret, or the selection of vim's visual modes. */
export function selectedIn(draft: Draft): {readonly from: number; readonly to: number} | undefined {
  const span = selectedSpan(draft);
  if (span) return span;
  const {text, caret, pastes} = draft;
  if (pastes.length === 0 || placeholderIndex(text.slice(caret, caret + 2), pastes) === undefined)
    return undefined;
  return {from: caret, to: nextEdge(text, caret)};
}
