import {hintText, partOfHints, RULE_ENDS} from '../../src/app/keymap/hints.ts';
import {boardRows, countsOf, groupOf, notHere, type BoardRow} from '../../src/app/board/board-rows.ts';
import {boardHints} from '../../src/app/board/board-hints.ts';
import type {BoardView} from '../../src/app/board/board-view.ts';
import {asIfShown} from '../../src/app/board/follow-board.ts';
import {nextSessionFacts} from '../../src/app/board/next-session.ts';
import {windowAround} from '../../src/app/pages/scroll.ts';
import {activeSession} from '../../src/app/sessions.ts';
import type {AppState} from '../../src/app/state.ts';
import {folderName} from '../../src/app/status/status-line.ts';
import {stateWord} from '../../src/session/labels/session-states.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {joinFitting, truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {indent, selectedRow} from '../layout/lines.ts';
import {Rows} from '../layout/rows.tsx';
import {Heading, HintRule} from '../layout/rule.tsx';
import {noPanel, type Panel} from '../panels/panel.ts';
import {requestPanel} from '../requests/request-panel.ts';
import type {Theme} from '../theme/theme.tsx';
import {boardCells, boardWidths, stateSign} from './board-columns.ts';

/** Rows of the heading and the hint. */
const AROUND = 2;
/** Minimum rows of the list beside what is asked, and of that. */
const MIN_LIST = 4;
const MIN_ASKED = 6;
/** Maximum rows of what the selected session does. */
const MAX_DETAILS = 2;
/** Columns before the details of a row. */
const INDENT = 4;

/** Returns the board: the open sessions around the selected one, and what that one asks, in full. */
export function boardPanel(
  state: AppState,
  board: BoardView,
  {rows: most, theme}: {readonly rows: number; readonly theme: Theme},
): Panel {
  const rows = boardRows(state, board);
  const free = Math.max(1, most - AROUND);
  const least = Math.max(MIN_LIST, Math.min(listHeight(rows, board), Math.floor(free / 3)));
  const room = Math.max(Math.min(MIN_ASKED, free - 1), free - least);
  const asked = askedPanel(state, room, theme) ?? noPanel;
  const selected = rows.find(({id}) => id === board.selected);
  const details = selected && asked.height === 0 ? detailsOf(selected, board, theme) : [];
  const left = Math.max(1, free - asked.height - details.length);
  const list = listRows(rows, {board, theme, room: left});
  const above = 1 + list.length + details.length;
  const keys = boardHints(state, board);
  const hints = partOfHints(keys, theme.columns - RULE_ENDS, theme);
  const heading = `Sessions · ${rows.length === 0 ? 'none open' : countsOf(rows)}`;
  const {caret, scrolled, choices = []} = asked;
  return {
    content: (
      <>
        <Heading words={heading} aside={asideOf(board)} />
        <Rows of={list.map(({text}) => text)} />
        <Rows of={details} />
        {asked.content}
        <HintRule hints={hints} />
      </>
    ),
    height: above + asked.height + 1,
    hints: [...hints, ...(asked.hints ?? [])],
    spoken: () => [
      heading,
      ...spokenRows(rows, board, theme),
      ...asked.spoken(),
      nextSessionLine(state, board, Infinity),
      hintText(keys),
    ],
    ...(scrolled && {scrolled}),
    ...(caret && {caret: {...caret, row: caret.row + above}}),
    choices: choices.map(({index, row, from, to}) => ({index, row: row + above, from, to})),
    sessions: list.flatMap(({index}, at) =>
      index === undefined ? [] : [{index, row: 1 + at, from: 0, to: theme.columns}],
    ),
  };
}

/** Returns what the selected session asks, with the same parts and rules as in the session itself. */
function askedPanel(state: AppState, rows: number, theme: Theme): Panel | undefined {
  if (state.board?.session === undefined) return undefined;
  const shown = asIfShown(state);
  const {cwd, terminals, subagents} = activeSession(shown).session;
  return requestPanel(shown, rows, {...theme, cwd, terminals, subagents});
}

function listHeight(rows: readonly BoardRow[], board: BoardView): number {
  return rows.length + new Set(rows.map((row) => groupOf(row, board))).size;
}

interface ListView {
  readonly board: BoardView;
  readonly theme: Theme;
  /** Maximum rows. */
  readonly room: number;
}

interface ListedRow {
  readonly text: string;
  /** The index of its session; undefined for the name of a group. */
  readonly index?: number;
}

/** Returns the rows around the selected one, with the names of their groups. */
function listRows(rows: readonly BoardRow[], {board, theme, room}: ListView): readonly ListedRow[] {
  const {paint, symbols, columns} = theme;
  if (rows.length === 0)
    return [{text: paint.dim(truncate(NOTHING[board.filter === '' ? 'open' : 'found'], columns))}];
  const lines = rows.flatMap((row, index): (BoardRow | string)[] => {
    const group = groupOf(row, board);
    const before = rows[index - 1];
    const isFirst = before === undefined || groupOf(before, board) !== group;
    return isFirst && room >= MIN_LIST ? [group, row] : [row];
  });
  const at = lines.findIndex((line) => typeof line !== 'string' && line.id === board.selected);
  const {from, to} = windowAround(Math.max(0, at), lines.length, room);
  const widths = boardWidths(rows, board.at, columns);
  return lines.slice(from, to).map((line) => {
    if (typeof line === 'string') return {text: paint.dim(truncate(sanitizeLine(line), columns))};
    const isPlain = line.id === board.selected;
    const cells = boardCells(line, {widths, now: board.at, isPlain}, theme);
    const marks = `${isPlain ? symbols.selected : ' '} ${stateSign(line.state, theme, isPlain)}`;
    const text = truncate(`${marks} ${cells}`, columns);
    return {text: isPlain ? selectedRow(text, theme) : text, index: rows.indexOf(line)};
  });
}

const NOTHING = {open: 'No open sessions: type a prompt to start one', found: 'No matches'} as const;

/** Returns what has no room in the selected row, and why it cannot be answered here. */
function detailsOf(row: BoardRow, board: BoardView, {paint, columns}: Theme): readonly string[] {
  const room = Math.max(1, columns - INDENT);
  const facts = [row.agent, row.cwd, row.branch, row.changes, row.cost].filter(Boolean).join(' · ');
  const said = wrap(sanitizeLine(row.line), room).slice(0, MAX_DETAILS);
  const isElsewhere = row.state === 'waiting' && row.key === undefined;
  return indent(
    [
      ...(isElsewhere ? [paint.warning(truncate(notHere(board, row), room))] : []),
      ...[...said, truncate(sanitizeLine(facts), room)].map((line) => paint.dim(line)),
    ],
    Math.min(INDENT, columns - 1),
  );
}

function asideOf({filter, groupBy, typing}: BoardView): string {
  if (typing === 'filter') return `filter: ${sanitizeLine(filter)}`;
  return groupBy === 'state' ? '' : `by ${groupBy}`;
}

/** Returns the rows as they are spoken: what changes by itself, such as an age, is left out. */
function spokenRows(rows: readonly BoardRow[], board: BoardView, {symbols}: Theme): readonly string[] {
  return rows.map((row) => {
    const isSelected = row.id === board.selected;
    const line = row.state === 'waiting' || isSelected ? row.line : '';
    const facts = [row.title, stateWord(row.state), row.agent, folderName(row.cwd), line].filter(Boolean);
    return sanitizeLine(`${isSelected ? `${symbols.selected} ` : ''}${facts.join(', ')}`);
  });
}

/** Returns what the next session gets, in one line. What is off is left out first. */
export function nextSessionLine(state: AppState, board: BoardView, columns: number): string {
  if (board.typing !== 'new') return '';
  const facts = factsOfNext(state, board);
  const all = facts.map(({text}) => text).join(SEPARATOR);
  const on = facts.filter(({isOn}) => isOn).map(({text}) => text);
  return sanitizeLine(width(all) <= columns ? all : joinFitting(on, columns, SEPARATOR));
}

const SEPARATOR = ' · ';

interface NextFact {
  readonly text: string;
  readonly isOn: boolean;
}

/** Returns what the next session gets, the most important first. */
function factsOfNext(state: AppState, board: BoardView): readonly NextFact[] {
  const {agent, cwd, level, isSandboxed, hasWorktree} = nextSessionFacts(state, board);
  return [
    ...[`New session: ${agent}`, folderName(cwd), level].map((text) => ({text, isOn: true})),
    {text: sandboxText(isSandboxed), isOn: isSandboxed !== undefined},
    {text: hasWorktree ? 'new worktree' : 'no worktree', isOn: hasWorktree},
  ];
}

function sandboxText(isSandboxed: boolean | undefined): string {
  if (isSandboxed === undefined) return 'sandbox as in settings';
  return isSandboxed ? 'sandbox' : 'no sandbox';
}
