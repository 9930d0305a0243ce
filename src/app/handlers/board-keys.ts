import {draftText, emptyDraft, isEmpty, type Draft} from '../editor/draft.ts';
import {editOneLine} from '../editor/one-line.ts';
import {combine, emitEvent, moveFocus, nothing, perform, type Reaction} from '../effects.ts';
import {meantIn} from '../commands/behind-slashes.ts';
import {parsePrompt} from '../commands/parse-command.ts';
import {showAgents} from '../pickers/agent-picker.ts';
import {globalKey} from './global-keys.ts';
import {addToPromptHistory} from './shell-keys.ts';
import type {KeyEvent} from '../input/keys.ts';
import {actionFor, type Action} from '../keymap/keymap.ts';
import {scrollDistance} from '../pages/scroll.ts';
import {submitPrompt} from '../queue/queue.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, Tab} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {hasMoreHints} from '../board/board-hints.ts';
import {boardRows, notHere, type BoardRow} from '../board/board-rows.ts';
import {GROUPINGS, type BoardView} from '../board/board-view.ts';
import {withTyping} from '../board/follow-board.ts';
import {chooseNextFolder, chooseNextLevel, switchNext} from '../board/next-session.ts';

/** Number of rows per page. */
const PAGE = 10;

/** A key on the board. */
interface BoardPress {
  readonly state: AppState;
  readonly board: BoardView;
  readonly rows: readonly BoardRow[];
  readonly row: BoardRow | undefined;
  readonly at: number;
}

/** Keys of the board while no request has the focus: text is the prompt of a new session. */
export function boardKey(state: AppState, key: KeyEvent, board: BoardView): Reaction {
  const press = pressOn(state, board, key.at);
  const action = key.kind === 'key' ? actionFor('board', key, state.keymap) : undefined;
  // Keys with a text do something in an empty prompt only.
  const isText = key.text !== '' && !(board.typing === 'new' && isEmpty(board.draft));
  const reaction = isText ? undefined : doAction(press, action);
  if (reaction) return reaction;
  const edited = editOneLine(board.draft, key, state.keymap);
  if (edited) return typed(board, edited);
  return EVERYWHERE.has(action) ? globalKey(state, action, key.at) : nothing;
}

/** What also works over the board. */
const EVERYWHERE: ReadonlySet<Action | undefined> = new Set([
  'more_keys',
  'redraw',
  'suspend',
  'inspect_wire',
]);

function pressOn(state: AppState, board: BoardView, at: number): BoardPress {
  const rows = boardRows(state, board);
  return {state, board, rows, row: rows.find(({id}) => id === board.selected), at};
}

function doAction(press: BoardPress, action: Action | undefined): Reaction | undefined {
  const {state, board, at} = press;
  const moved = selectedAfter(press, action);
  if (moved) return selectRow(board, moved);
  switch (action) {
    case 'confirm':
      return confirm(press);
    case 'focus_request':
      return answer(press);
    case 'reply':
      return reply(press);
    case 'filter_sessions':
      return changed(withTyping(board, 'filter'));
    case 'more_hints':
      return hasMoreHints(state, board) ? globalKey(state, action, at) : undefined;
    case 'group_sessions':
      return changed({groupBy: GROUPINGS[(GROUPINGS.indexOf(board.groupBy) + 1) % GROUPINGS.length]!});
    case 'choose_next_agent':
      return showAgents();
    case 'choose_next_folder':
      return chooseNextFolder(state, press.rows);
    case 'choose_next_level':
      return chooseNextLevel(state, board);
    case 'switch_next_worktree':
      return switchNext(state, board, 'worktree');
    case 'switch_next_sandbox':
      return switchNext(state, board, 'sandbox');
    case 'cancel_or_back':
    case 'clear_cancel_or_leave':
      return leaveBoard(board, action, at);
    default:
      return undefined;
  }
}

function selectRow(board: BoardView, {id}: BoardRow): Reaction {
  return changed({...(board.typing === 'reply' && withTyping(board, 'new')), selected: id});
}

function changed(change: Partial<BoardView>): Reaction {
  return emitEvent({type: 'board_changed', change});
}

function typed({typing}: BoardView, draft: Draft): Reaction {
  return changed({draft, ...(typing === 'filter' && {filter: draft.text})});
}

/** Returns the row that a key moves to; single steps wrap around, pages stop at the ends. */
function selectedAfter({rows, row}: BoardPress, action: Action | undefined): BoardRow | undefined {
  const at = row ? rows.indexOf(row) : -1;
  if (action === 'choose_previous') return rows.at(at - 1);
  if (action === 'choose_next') return rows[(at + 1) % rows.length];
  const by = scrollDistance(action, PAGE + 1);
  return by === undefined ? undefined : rowNear(rows, at + by);
}

/** Returns the row at an index, or the nearest one. */
function rowNear(rows: readonly BoardRow[], index: number): BoardRow | undefined {
  return rows[Math.max(0, Math.min(rows.length - 1, index))];
}

/** Moves the selection with the wheel, which stops at the ends. What is typed for a session stays with it. */
export function turnOnBoard(state: AppState, board: BoardView, by: 1 | -1): Reaction {
  const {rows, row} = pressOn(state, board, 0);
  const next = rowNear(rows, (row ? rows.indexOf(row) : -1) + by);
  const isForSession = board.typing === 'reply' || state.focus.kind === 'note';
  return next && !isForSession ? selectRow(board, next) : nothing;
}

/** Selects the session of a row, or opens it if it is selected. */
export function clickOnBoard(state: AppState, board: BoardView, index: number): Reaction {
  const row = boardRows(state, board)[index];
  if (!row) return nothing;
  return row.id === board.selected ? open(row) : selectRow(board, row);
}

/** Sends what is typed on the board. */
export function sendFromBoard(state: AppState, board: BoardView, at: number): Reaction {
  return isEmpty(board.draft) ? nothing : confirm(pressOn(state, board, at));
}

/** Enter sends what is typed, or else opens the selected session. */
function confirm({state, board, row, at}: BoardPress): Reaction {
  const text = draftText(board.draft).trim();
  if (board.typing === 'new' && text !== '') {
    if (!isPrompt(text, activeSession(state))) return toast(NOT_HERE, at);
    const sent = changed({draft: emptyDraft});
    const begun = perform({kind: 'open_beside', prompt: text, next: board.next});
    return combine(addToPromptHistory(text), sent, begun);
  }
  if (board.typing !== 'reply') return row ? open(row) : nothing;
  if (text === '') return changed(withTyping(board, 'new'));
  if (row?.key === undefined)
    return toast(`${row ? notHere(board, row) : 'This session is not open any more.'} Nothing was sent.`, at);
  const tab = state.sessions[row.key];
  if (!tab || !isPrompt(text, tab)) return toast(NOT_HERE, at);
  const isQueued = row.state === 'working' || row.state === 'waiting';
  return combine(
    addToPromptHistory(text),
    submitPrompt(row.key, meantIn(tab, text)),
    changed(withTyping({...board, draft: emptyDraft}, 'new')),
    toast(`${isQueued ? 'Queued in' : 'Sent to'} "${row.title}".`, at),
  );
}

const NOT_HERE = 'Commands run in a session: open it first. Nothing was sent.';

/** False for a command of acp-tui's, or of the user's shell. */
function isPrompt(text: string, tab: Tab): boolean {
  return !text.startsWith('!') && parsePrompt(text, tab).kind === 'text';
}

/** Shows a session: one of this window, or of the background service; any other is resumed. */
function open({id, key, storedId}: BoardRow): Reaction {
  if (key !== undefined && id === key) return emitEvent({type: 'session_activated', key});
  if (storedId === undefined) return nothing;
  return combine(
    emitEvent({type: 'board_closed'}),
    perform({kind: 'resume_session', row: storedId, fork: false}),
  );
}

/** The user goes to the request, whose keys count from now on. */
function answer({state, board, row, at}: BoardPress): Reaction {
  const {request} = state;
  if (request) return moveFocus({kind: 'request', id: request.id}, at);
  if (row?.state !== 'waiting') return toast('This session does not ask anything.', at);
  return toast(row.key === undefined ? notHere(board, row) : 'Open it to sign in.', at);
}

function reply({board, row, at}: BoardPress): Reaction {
  if (!row) return nothing;
  return board.elsewhere === row.id ? toast(notHere(board, row), at) : changed(withTyping(board, 'reply'));
}

/** Esc and Ctrl+C leave what is typed for something else, then the board; Ctrl+C clears the prompt before that. */
function leaveBoard(board: BoardView, action: Action, at: number): Reaction {
  const clears = action === 'clear_cancel_or_leave' && !isEmpty(board.draft);
  if (clears) return changed(withTyping({...board, draft: emptyDraft}, 'new'));
  if (board.typing !== 'new') return changed(withTyping(board, 'new'));
  return emitEvent({type: 'board_closed'}, {type: 'overlay_closed', at});
}
