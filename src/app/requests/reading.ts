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

/** The first row from there on that has not been on the screen; undefined when all have. */
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

/** How much of a request must be read, and how much has been. */
export interface Reading {
  /** Whether every row must be on the screen, the last one, or none. */
  readonly needed: 'all' | 'end' | 'none';
  /** Rows that must still be on the screen before it can be allowed. */
  readonly left: number;
  /** Rows that have not been on the screen, whether they must or not. */
  readonly unseen: number;
  /** The first row of what must be shown next. */
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
    // Where not even one row had room, nothing was read.
    const isEndSeen = last > 0 && last === seen.totalRows;
    return {needed: 'end', left: isEndSeen ? 0 : Math.max(1, unseen), unseen, next: last};
  }
  const left = last === 0 ? Math.max(1, unseen) : unseen;
  return {needed: 'all', left, unseen, next: firstUnseen(seen, 0) ?? 0};
}

/** The first row after a key that scrolls, which never goes past rows that were not shown: keys may come faster than frames. */
export function readBy(action: Action | undefined, {scroll, seen}: RequestView): number | undefined {
  const firstRow = scrolledBy(action, scroll);
  if (action !== 'scroll_page_down' || firstRow === undefined) return firstRow;
  return Math.min(firstRow, firstUnseen(seen, scroll.firstRow) ?? firstRow);
}

/** True for a change of a file that runs nothing: its diff is what will be written, and nothing else. */
function isChange(request: PendingRequest): boolean {
  if (request.kind !== 'permission' || request.asker !== undefined) return false;
  const {kind, content} = request.call;
  return kind !== 'execute' && content.some(({type}) => type === 'diff') && !holdsCommand(request.call);
}

/** True if what is asked holds characters that cannot be seen: a yes needs more than one key then. */
export function isDeceptive(request: PendingRequest): boolean {
  if (request.kind === 'form' || (request.kind === 'url' && request.isOpened)) return false;
  return hidesText(request);
}
