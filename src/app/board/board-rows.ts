import {activityLine} from '../../session/labels/activity-line.ts';
import {pendingRequestLine} from '../../session/labels/asked-line.ts';
import {
  doingOf,
  OPEN_STATES,
  openStateOf,
  stateTitle,
  stateWord,
  type ListedState,
} from '../../session/labels/session-states.ts';
import {lineCountsLabel} from '../../session/line-counts.ts';
import {changesOfLastTurn, isUnused} from '../../session/selectors.ts';
import {nameOfSession, sessionTitle} from '../../session/titles.ts';
import {cost} from '../../text/format.ts';
import {openTabs, tabState} from '../open-sessions.ts';
import type {SessionRow} from '../pickers/listings.ts';
import type {AppState, SessionKey, Tab} from '../state.ts';
import {agentName} from '../status/status-line.ts';
import type {BoardView} from './board-view.ts';

/** A session on the board. */
export interface BoardRow {
  /** The key of a session of this window, or else acp-tui's id. */
  readonly id: string;
  /** If this window has it, or can answer for it. */
  readonly key: SessionKey | undefined;
  /** acp-tui's id; undefined if it is not stored. */
  readonly storedId: string | undefined;
  readonly state: ListedState;
  readonly title: string;
  readonly agent: string;
  /** Absolute. */
  readonly cwd: string;
  readonly branch: string;
  /** Since when, in milliseconds since the epoch. */
  readonly since: number;
  /** What it asks, runs, or said last, in one line. */
  readonly line: string;
  readonly cost: string;
  readonly changes: string;
}

/** Returns the rows that the filter leaves, in their order. */
export function boardRows(state: Pick<AppState, 'sessions'>, board: BoardView): readonly BoardRow[] {
  const rows = allRows(state, board);
  const words = board.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const said = board.said?.filter === board.filter ? board.said.places : undefined;
  const shown = rows.flatMap((row): BoardRow[] => {
    const text = [row.title, row.agent, row.cwd, row.branch, row.line, stateWord(row.state)];
    if (words.every((word) => text.some((part) => part.toLowerCase().includes(word)))) return [row];
    const place = row.storedId === undefined ? undefined : said?.get(row.storedId)?.text;
    return place === undefined ? [] : [{...row, line: place}];
  });
  return shown.toSorted((one, other) => byGroup(one, other, board) || byAttention(one, other));
}

/** Returns all rows, in no order. */
function allRows({sessions}: Pick<AppState, 'sessions'>, {stored}: BoardView): readonly BoardRow[] {
  const ids = new Map(stored.flatMap(({id, key}) => (key === undefined ? [] : [[key, id] as const])));
  const own = openTabs(sessions)
    .filter(isWorthListing)
    .map((tab) => ownRow(tab, ids.get(tab.key)));
  const others = stored.flatMap((row): BoardRow[] => {
    const tab = row.key === undefined ? undefined : sessions[row.key];
    if (tab && !tab.isPeeked) return [];
    return [tab ? {...rowOfTab(tab), id: row.id, storedId: row.id} : {...rowOfStored(row), key: undefined}];
  });
  return [...own, ...others];
}

function isWorthListing({session}: Tab): boolean {
  return !isUnused(session) || ['waiting', 'failed'].includes(doingOf(session) ?? '');
}

const rows = new WeakMap<Tab, BoardRow>();

/** The same row for the same tab: with each chunk only one of many changes. */
function rowOfTab(tab: Tab): BoardRow {
  const known = rows.get(tab) ?? newRowOfTab(tab);
  rows.set(tab, known);
  return known;
}

function newRowOfTab(tab: Tab): BoardRow {
  const {key, session, branch = ''} = tab;
  const changes = changesOfLastTurn(session);
  return {
    id: key,
    key,
    storedId: undefined,
    state: openStateOf(doingOf(session), true),
    title: sessionTitle(session) ?? session.queue.prompts[0]?.text ?? 'Untitled',
    agent: agentName(tab),
    cwd: session.cwd,
    branch,
    since: sinceOf(tab),
    line: pendingRequestLine(session) ?? activityLine(session) ?? '',
    cost: session.usage?.cost ? cost(session.usage.cost) : '',
    changes: changes && changes.files > 0 ? lineCountsLabel(changes) : '',
  };
}

function ownRow(tab: Tab, storedId: string | undefined): BoardRow {
  return {...rowOfTab(tab), storedId, state: tabState(tab)};
}

function sinceOf({session}: Tab): number {
  const {pending, turn, entries} = session;
  const [asked] = pending;
  if (asked?.kind === 'permission') return asked.askedAt;
  return turn.kind === 'idle' ? (entries.at(-1)?.at ?? 0) : turn.startedAt;
}

function rowOfStored(row: SessionRow): BoardRow {
  const {id, key, status, agent, cwd, branch = '', at = 0, asks, says = '', spent, changes} = row;
  return {
    id,
    key,
    storedId: id,
    state: status,
    title: nameOfSession(row),
    agent,
    cwd,
    branch,
    since: at,
    line: asks ?? says,
    cost: spent ? cost(spent) : '',
    changes: changes && changes.files > 0 ? lineCountsLabel(changes) : '',
  };
}

const URGENCY: readonly ListedState[] = OPEN_STATES;

/** What needs the user first; of those that wait, the one that has waited longest, otherwise the newest. */
function byAttention(one: BoardRow, other: BoardRow): number {
  const newer = other.since - one.since;
  return (
    URGENCY.indexOf(one.state) - URGENCY.indexOf(other.state) ||
    (one.state === 'waiting' ? -newer : newer) ||
    one.id.localeCompare(other.id)
  );
}

function byGroup(one: BoardRow, other: BoardRow, {groupBy}: Pick<BoardView, 'groupBy'>): number {
  if (groupBy === 'folder') return one.cwd.localeCompare(other.cwd);
  return groupBy === 'agent' ? one.agent.localeCompare(other.agent) : 0;
}

/** Returns the name of a row's group. */
export function groupOf(row: BoardRow, {groupBy}: Pick<BoardView, 'groupBy'>): string {
  if (groupBy === 'folder') return row.cwd;
  return groupBy === 'agent' ? row.agent : stateTitle(row.state);
}

/** Returns how many sessions are in each state: `needs you 2 · working 1`. */
export function countsOf(rows: readonly BoardRow[]): string {
  const counts = OPEN_STATES.map((each) => {
    const count = rows.filter(({state}) => state === each).length;
    return count === 0 ? '' : `${stateWord(each)} ${count}`;
  });
  return counts.filter(Boolean).join(' · ');
}

/** Returns the session that has waited longest for the user. */
export function longestWaiting(rows: readonly BoardRow[]): BoardRow | undefined {
  return rows.filter(({state}) => state === 'waiting').toSorted(byAttention)[0];
}

/** Returns why a session cannot be answered here. */
export function notHere({elsewhere}: Pick<BoardView, 'elsewhere'>, {id}: Pick<BoardRow, 'id'>): string {
  return elsewhere === id ? 'It runs in another window: answer it there.' : 'It is still being read.';
}
