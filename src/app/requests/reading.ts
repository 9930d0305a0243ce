import {holdsCommand} from '../../session/requests/command-fields.ts';
import {hidesText} from '../../session/requests/hidden-text.ts';
import type {PendingRequest} from '../../session/state.ts';
import type {Action} from '../keymap/keymap.ts';
import {scrolledBy, type Scroll} from '../pages/scroll.ts';
import type {RequestView} from '../state.ts';
import {type ReadingLevel, type SeenRows} from './seen-rows.ts';

export const nothingSeen: SeenRows = {columns: 0, totalRows: 0, ranges: []};

/** Adds the rows now on the screen. If the text wraps differently, all rows count as unseen again. */
export function withSeen(seen: SeenRows, drawn: Scroll, columns: number): SeenRows {
  const {firstRow, visibleRows, totalRows} = drawn;
  const isSame = seen.columns === columns && seen.totalRows === totalRows;
  const before = isSame ? seen.ranges : [];
  const shown = {from: firstRow, to: Math.min(firstRow + visibleRows, totalRows)};
  if (shown.to <= shown.from || before.some(({from, to}) => from <= shown.from && shown.to <= to))
    return isSame ? seen : {columns, totalRows, ranges: []};
  const touching = before.filter(({from, to}) => from <= shown.to && shown.from <= to);
  const joined = {
    from: Math.min(shown.from, ...touching.map(({from}) => from)),
    to: Math.max(shown.to, ...touching.map(({to}) => to)),
  };
  const ranges = [
    ...before.filter(({to}) => to < joined.from),
    joined,
    ...before.filter(({from}) => from > joined.to),
  ];
  return {columns, totalRows, ranges};
}

/** Returns the number of rows that have not been visible. */
export function unseenRows({totalRows, ranges}: SeenRows): number {
  return totalRows - ranges.reduce((sum, {from, to}) => sum + to - from, 0);
}

/** Returns the first row from `start` on that has not been visible; undefined if all have. */
function firstUnseen({totalRows, ranges}: SeenRows, start: number): number | undefined {
  const around = ranges.find(({from, to}) => from <= start && start < to);
  const row = around ? around.to : start;
  return row < totalRows ? row : undefined;
}

/** Returns the first unseen row of the suggested rule, or of everything if the rule is not drawn; undefined if all were seen. */
export function unseenOfRule({seen, rule}: Pick<RequestView, 'seen' | 'rule'>): number | undefined {
  const {from, to} = rule ?? {from: 0, to: seen.totalRows};
  const row = firstUnseen(seen, from);
  return row !== undefined && row < to ? row : undefined;
}

/** How much of a request must have been visible, and how much was. */
export interface Reading {
  /** Whether every row must have been visible, the last one, or none. */
  readonly needed: 'all' | 'end' | 'none';
  /** Number of rows that must still be shown before it can be allowed. */
  readonly left: number;
  /** Number of rows that have not been visible, required or not. */
  readonly unseen: number;
  /** The first row to show next. */
  readonly next: number;
}

/** Returns how much of a request is still to be read. */
export function readingOf(
  request: PendingRequest,
  {seen}: Pick<RequestView, 'seen'>,
  level: ReadingLevel,
): Reading {
  const unseen = unseenRows(seen);
  if (level === 'none') return {needed: 'none', left: 0, unseen, next: 0};
  const last = seen.ranges.at(-1)?.to ?? 0;
  if (level === 'commands' && isChange(request)) {
    // If there was no room for a single row, nothing was read.
    const isEndSeen = last > 0 && last === seen.totalRows;
    return {needed: 'end', left: isEndSeen ? 0 : Math.max(1, unseen), unseen, next: last};
  }
  const left = last === 0 ? Math.max(1, unseen) : unseen;
  return {needed: 'all', left, unseen, next: firstUnseen(seen, 0) ?? 0};
}

/** Returns the first row after a scrolling key, without skipping unseen rows: keys may be faster than frames. */
export function readBy(action: Action | undefined, {scroll, seen}: RequestView): number | undefined {
  const firstRow = scrolledBy(action, scroll);
  if (action !== 'scroll_page_down' || firstRow === undefined) return firstRow;
  return Math.min(firstRow, firstUnseen(seen, scroll.firstRow) ?? firstRow);
}

/** True for a file change that runs nothing: its diff is exactly what will be written. */
function isChange(request: PendingRequest): boolean {
  if (request.kind !== 'permission' || request.asker !== undefined) return false;
  const {kind, content} = request.call;
  return kind !== 'execute' && content.some(({type}) => type === 'diff') && !holdsCommand(request.call);
}

/** True if the request contains invisible characters: allowing it takes more than one key. */
export function isDeceptive(request: PendingRequest): boolean {
  if (request.kind === 'form' || (request.kind === 'url' && request.isOpened)) return false;
  return hidesText(request);
}
