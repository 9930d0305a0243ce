import {hintText, partOfHints, RULE_ENDS} from '../../src/app/keymap/hints.ts';
import {boardRows, countsOf, groupOf, notHere, type BoardRow} from '../../src/app/board/board-rows.ts';
import {boardHints} from '../../src/app/board/board-hints.ts';
import type {BoardView} from '../../src/app/board/board-view.ts';
import {asIfShown} from '../../src/app/board/follow-board.ts';
import {nextSessionLine} from '../../src/app/board/next-session.ts';
import {windowAround} from '../../src/app/pages/scroll.ts';
import {activeSession} from '../../src/app/sessions.ts';
import type {AppState} from '../../src/app/state.ts';
import {folderName} from '../../src/app/status/status-line.ts';
import {stateWord} from '../../src/session/labels/session-states.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {wrap} from '../../src/text/wrap.ts';
import {choiceRow, indent} from '../layout/lines.ts';
import {noPanel, type Panel} from '../panels/panel.ts';
import {hintPanel, listPanel, type PanelRow, stackedPanel} from '../panels/panel-rows.tsx';
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
export function boardPanel(state: AppState, board: BoardView, most: number, theme: Theme): Panel {
  const rows = boardRows(state, board);
  const free = Math.max(1, most - AROUND);
  const least = Math.max(MIN_LIST, Math.min(listHeight(rows, board), Math.floor(free / 3)));
  const room = Math.max(Math.min(MIN_ASKED, free - 1), free - least);
  const asked = askedPanel(state, room, theme) ?? noPanel;
  const selected = rows.find(({id}) => id === board.selected);
  const details = selected && asked.height === 0 ? detailsOf(selected, board, theme) : [];
  const left = Math.max(1, free - asked.height - details.length);
  const keys = boardHints(state, board);
  const title = `Sessions · ${rows.length === 0 ? 'none open' : countsOf(rows)}`;
  const listed = [...listRows(rows, board, left, theme), ...details];
  const list: Panel = {
    ...listPanel({title, aside: asideOf(board), rows: listed, of: 'board'}),
    spoken: () => [title, ...spokenRows(rows, board, theme)],
  };
  const foot: Panel = {
    ...hintPanel(partOfHints(keys, theme.columns - RULE_ENDS, theme)),
    spoken: () => [nextSessionLine(state, board, Infinity), hintText(keys)],
  };
  return stackedPanel(stackedPanel(list, asked), foot);
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

/** Returns at most `room` rows around the selected one, with the names of their groups. */
function listRows(rows: readonly BoardRow[], board: BoardView, room: number, theme: Theme): PanelRow[] {
  const {paint, columns} = theme;
  if (rows.length === 0)
    return [paint.dim(truncate(NOTHING[board.filter === '' ? 'open' : 'found'], columns))];
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
    if (typeof line === 'string') return paint.dim(truncate(sanitizeLine(line), columns));
    const isSelected = line.id === board.selected;
    const cells = boardCells(line, {widths, now: board.at, isPlain: isSelected}, theme);
    const text = choiceRow(`${stateSign(line.state, theme, isSelected)} ${cells}`, isSelected, theme);
    return {text, choice: rows.indexOf(line)};
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
