import {subagentOf} from '../../src/session/subagents/links.ts';
import type {Entry} from '../../src/session/entries.ts';
import type {SessionState} from '../../src/session/state.ts';
import type {ViewerPlace, ViewerPosition} from '../../src/app/pages/viewer-state.ts';
import {canFold, createRowsOf, type TranscriptSource} from './foldable-rows.ts';

/** A row on the screen; without an entry for those below the last one. */
export interface VisibleRow {
  readonly text: string;
  readonly entry: Entry | undefined;
  /** The index of the row within the entry, see `ViewerPlace`. */
  readonly row: number;
  /** The rows of the whole entry. */
  readonly height: number;
  /** True for the entry's first row with text. */
  readonly isHead: boolean;
}

export interface VisibleRows {
  readonly rows: readonly VisibleRow[];
  /** The position of the first row, in the form that keeps it in place. */
  readonly position: ViewerPosition;
  readonly first: number;
}

export type TranscriptRows = ReturnType<typeof createTranscriptRows>;

/** The rows of a transcript, drawn lazily. Heights are not known in advance. */
export function createTranscriptRows() {
  const rowsOf = createRowsOf();
  return {
    rowsOf,
    view: (source: TranscriptSource, position: ViewerPosition, room: number) =>
      viewAt({entries: source.session.entries, rowsOf: (index) => rowsOf(source, index)}, position, room),
  };
}

/** The uppermost subagent of a view. */
export function topSubagentCard({rows}: VisibleRows): string | undefined {
  return rows.find(({entry}) => entry && subagentOf(entry) !== undefined)?.entry?.id;
}

interface Rows {
  readonly entries: SessionState['entries'];
  readonly rowsOf: (index: number) => readonly string[];
}

interface RowIndex {
  readonly index: number;
  readonly row: number;
}

function viewAt(source: Rows, position: ViewerPosition, room: number): VisibleRows {
  const at = locate(source, position, room);
  const rows: VisibleRow[] = [];
  let {index, row} = at;
  for (; index <= source.entries.length && rows.length < room; index++, row = 0) {
    const entry = source.entries.get(index);
    const lines = source.rowsOf(index);
    const head = lines.findIndex((line) => line !== '');
    for (; row < lines.length && rows.length < room; row++)
      rows.push({text: lines[row] ?? '', entry, row, height: lines.length, isHead: row === head});
  }
  const first = source.entries.get(at.index);
  const isAtEnd = at.isEnd || first === undefined;
  return {
    rows,
    first: at.index,
    position: isAtEnd ? {from: 'end', rows: 0} : {from: 'entry', id: first.id, rows: at.row},
  };
}

/** Returns the first row on the screen, with as many rows below it as fit. */
function locate(source: Rows, position: ViewerPosition, room: number) {
  const {entries} = source;
  const bottom = move(source, {index: entries.length, row: source.rowsOf(entries.length).length}, -room);
  if (position.from === 'end') {
    if (position.rows >= 0) return {...bottom, isEnd: true};
    const above = move(source, bottom, position.rows);
    return {...above, isEnd: above.index === bottom.index && above.row === bottom.row};
  }
  const index = position.from === 'entry' ? indexOf(entries, position.id) : 0;
  const start = {index: index ?? bottom.index, row: 0};
  const rows = index === undefined ? 0 : position.rows;
  const place = move(source, start, rows, bottom.index);
  const isEnd = place.index > bottom.index || (place.index === bottom.index && place.row >= bottom.row);
  return isEnd ? {...bottom, isEnd} : {...place, isEnd};
}

/** Moves down by rows, at most to the entry `last`; up if there are fewer than none, at most to the beginning. */
function move(source: Rows, {index, row}: RowIndex, by: number, last = index): RowIndex {
  let at = row + by;
  let place = index;
  while (at < 0 && place > 0) at += source.rowsOf(--place).length;
  for (; place < last; place++) {
    const {length} = source.rowsOf(place);
    if (at < length) break;
    at -= length;
  }
  return {index: place, row: Math.max(0, at)};
}

/** Returns the uppermost entry of a view that can be folded. */
export function topFoldable({rows}: VisibleRows): ViewerPlace | undefined {
  const at = rows.findIndex(({entry}) => entry !== undefined && canFold(entry));
  const found = rows[at];
  return found?.entry && {id: found.entry.id, row: found.row - at};
}

/** Returns the index of an entry: ids are ascending numbers, except for entries inserted by a replay. */
function indexOf(entries: SessionState['entries'], id: string): number | undefined {
  let [low, high] = [0, entries.length - 1];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const found = entries.get(middle)?.id;
    if (found === id) return middle;
    if (Number(found) < Number(id)) low = middle + 1;
    else high = middle - 1;
  }
  const index = entries.findLastIndex((entry) => entry.id === id);
  return index === -1 ? undefined : index;
}
