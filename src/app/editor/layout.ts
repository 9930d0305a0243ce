import {truncate} from '../../text/truncate.ts';
import {width as cellsOf, joinedWidth, PRINTABLE_ASCII} from '../../text/width.ts';
import {selectedSpan} from '../vim/visual.ts';
import type {Draft} from './draft.ts';
import {clusters, previousEdge, lineEnd, nextEdge} from './graphemes.ts';
import {type Paste, placeholderIndex, placeholderLabel} from './pastes.ts';

/** A draft wrapped to a width. */
export interface DraftLayout {
  readonly columns: number;
  readonly rows: readonly Row[];
  /** Both from 0; the column is in cells, and always less than `columns`. */
  readonly caret: {readonly row: number; readonly column: number};
}

/** A part of a row that is drawn in one style. */
export interface RowPiece {
  readonly kind: 'text' | 'placeholder';
  readonly text: string;
  readonly isSelected: boolean;
}

const layouts = new WeakMap<Draft, DraftLayout>();

/** Wraps a draft for a number of columns, one of which is kept free for the caret. Cached by the draft's reference. */
export function layoutDraft(draft: Draft, columns: number): DraftLayout {
  const known = layouts.get(draft);
  if (known?.columns === columns) return known;
  const rows = wrapText(draft.text, draft.pastes, columns);
  const row = rowOf(rows, draft.caret);
  const before = draft.text.slice(rows[row]?.from ?? 0, draft.caret);
  const column = PRINTABLE_ASCII.test(before) ? before.length : columnsBefore(before, draft.pastes, columns);
  const layout: DraftLayout = {columns, rows, caret: {row, column: Math.min(column, columns - 1)}};
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
export function rowPieces(draft: Draft, row: Row, columns: number): readonly RowPiece[] {
  const text = draft.text.slice(row.from, row.to);
  const selected = selectedIn(draft);
  const isTouched = selected !== undefined && selected.from < row.to && selected.to > row.from;
  if (PRINTABLE_ASCII.test(text) && !isTouched) return [{kind: 'text', text, isSelected: false}];
  const pieces: RowPiece[] = [];
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

/** Returns the rows of a draft as texts. */
export function rowTexts(draft: Draft, columns: number): string[] {
  const texts = (row: Row) => rowPieces(draft, row, columns).map(({text}) => text);
  return layoutDraft(draft, columns).rows.map((row) => texts(row).join(''));
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
  /** Where each line continues in a further row. */
  readonly breaks: ReadonlyMap<string, readonly number[]>;
}

/** The last wrapped text: a key press changes few lines, and moving the caret none. */
let last: Wrapped = {text: '', pastes: [], columns: 0, rows: [], breaks: new Map()};

function wrapText(text: string, pastes: readonly Paste[], columns: number): readonly Row[] {
  const isSame = last.columns === columns && last.pastes === pastes;
  if (isSame && last.text === text) return last.rows;
  const rows: Row[] = [];
  const breaks = new Map<string, readonly number[]>();
  for (let from = 0; from <= text.length;) {
    const end = lineEnd(text, from);
    const line = text.slice(from, end);
    const known = isSame ? last.breaks.get(line) : undefined;
    const own = known ?? [...wrapLine(line, Math.max(1, columns - 1), pastes)];
    breaks.set(line, own);
    const edges = [from, ...own.map((at) => from + at), end];
    for (const [index, to] of edges.slice(1).entries())
      rows.push({from: edges[index] ?? 0, to, continues: index < own.length});
    from = end + 1;
  }
  last = {text, pastes, columns, rows, breaks};
  return rows;
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

/** A tab is displayed as blanks but sent as a tab. */
const TAB = '    ';

/** Returns how to display a cluster if at most `most` cells are free in the row. */
function show(
  cluster: string,
  pastes: readonly Paste[],
  most: number,
): {readonly text: string; readonly width: number; readonly isPlaceholder: boolean} {
  if (cluster === '\t')
    return {text: TAB.slice(0, most), width: Math.min(TAB.length, most), isPlaceholder: false};
  const index = pastes.length > 0 ? placeholderIndex(cluster, pastes) : undefined;
  const paste = pastes[index ?? -1];
  if (index === undefined || !paste) return {text: cluster, width: cellsOf(cluster), isPlaceholder: false};
  const label = placeholderLabel(index, pastes);
  const text = truncate(label, most);
  return {text, width: cellsOf(text), isPlaceholder: true};
}

/**
 * Yields the start of each further row of a word-wrapped line, lazily. A row is at most `width` cells wide, plus one blank if the line continues: `width + 1`
 * always has a cell for the caret.
 */
function* wrapLine(line: string, width: number, pastes: readonly Paste[]): Generator<number> {
  if (!PRINTABLE_ASCII.test(line)) {
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
export function viewportOf(layout: DraftLayout, screen: ScreenSize, top: number): Viewport {
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
