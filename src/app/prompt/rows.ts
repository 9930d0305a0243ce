import {lineEnd} from './lines.ts';
import type {Paste} from './pastes.ts';
import {wrapLine} from './wrap.ts';

/** Where a row stands in the draft's text, its line break left out. */
export interface Row {
  readonly from: number;
  readonly to: number;
  /** True when the line goes on in the next row, whose `from` is then this row's `to`. */
  readonly continues: boolean;
}

export interface Wrapped {
  readonly text: string;
  readonly pastes: readonly Paste[];
  readonly columns: number;
  readonly rows: readonly Row[];
}

/** Where a row ends is decided by what stands in it and in the next two: a word, and what joins with its last character. */
const ROWS_THAT_DECIDE = 3;

/** The last text that was wrapped: a key changes a few rows, and moving the caret none. */
let last: Wrapped = {text: '', pastes: [], columns: 0, rows: []};

/** The rows of a text; what a change costs does not grow with what stands around it. */
export function wrapText(text: string, pastes: readonly Paste[], columns: number): readonly Row[] {
  const isSame = last.columns === columns && last.pastes === pastes && last.rows.length > 0;
  if (isSame && last.text === text) return last.rows;
  const wanted = {text, pastes, columns};
  const rows = isSame ? rewrap(last, wanted) : [...rowsFrom(0, wanted)];
  last = {...wanted, rows};
  return rows;
}

type Wanted = Omit<Wrapped, 'rows'>;

/** Takes over the rows before the change, and those behind it from where a row begins at the same place of the text. */
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

/** The rows from an offset on at which one begins. */
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

/** The last row that begins at or before an offset. */
export function rowOf(rows: readonly Row[], offset: number): number {
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
