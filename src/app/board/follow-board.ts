import {prependToDraft} from '../editor/insert.ts';
import {draftText, emptyDraft} from '../editor/draft.ts';
import {emitEvent, type Reaction} from '../effects.ts';
import {followRequests} from '../requests/request-guard.ts';
import {activeSession, changeSession, moveNoteToDraft} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {boardRows, longestWaiting} from './board-rows.ts';
import type {BoardView} from './board-view.ts';

/*
 * On the board, requests of the selected session are shown and answered as if it was the active one: everything about requests sees such a window.
 */

/** Returns the window as it would be with the board's selected session on the screen. */
export function asIfShown(state: AppState): AppState {
  const key = state.board?.session;
  return key === undefined || key === state.active || !state.sessions[key] ? state : {...state, active: key};
}

/** Applies a change to the window as it would be with the board's selected session on the screen. */
export function changeAsIfShown(state: AppState, change: (shown: AppState) => AppState): AppState {
  const shown = asIfShown(state);
  const changed = change(shown);
  if (changed === shown) return state;
  return shown === state ? changed : {...changed, active: state.active};
}

/** Opens the board. */
export function showBoard(): Reaction {
  return emitEvent({type: 'board_opened'});
}

/** The board as it opens. */
export const emptyBoard: BoardView = {
  stored: [],
  at: 0,
  typing: 'new',
  draft: emptyDraft,
  filter: '',
  groupBy: 'state',
  next: {},
};

/** Opens the board, which fills as sessions are found. */
export function openBoard(state: AppState): AppState {
  if (state.board) return state;
  return ask({...leaveNote(state), board: emptyBoard, overlay: {kind: 'none'}}, undefined);
}

/** Closes it; what was typed for another session is kept in the prompt. */
export function closeBoard(state: AppState): AppState {
  if (!state.board) return state;
  const {typing, draft} = state.board;
  const text = typing === 'filter' ? '' : draftText(draft).trim();
  const closed: AppState = {
    ...leaveNote(state),
    board: undefined,
    request: undefined,
    focus: {kind: 'prompt'},
  };
  const kept =
    text === ''
      ? closed
      : changeSession(closed, closed.active, (tab) => ({...tab, draft: prependToDraft(tab.draft, text)}));
  return followRequests(kept, activeSession(kept).session, kept.lastTypedAt);
}

export function changeBoard(state: AppState, change: Partial<BoardView>): AppState {
  return state.board ? {...state, board: {...state.board, ...change}} : state;
}

/** Keeps the selection on a row that is listed, and what is asked on its session. After an answer, the session is next that has waited longest. */
export function followBoard(state: AppState, before: AppState): AppState {
  const {board} = state;
  if (!board || (state.sessions === before.sessions && board === before.board)) return state;
  const rows = boardRows(state, board);
  const old = rows.find(({id}) => id === board.selected);
  const isAnswered = before.request?.phase.kind === 'answered' && state.request === undefined;
  const next = isAnswered && board.session === before.board?.session ? longestWaiting(rows) : undefined;
  const selected = next ?? old ?? rows[0];
  const moved =
    selected?.id === board.selected ? state : {...state, board: {...board, selected: selected?.id}};
  return selected?.key === board.session ? moved : ask(moved, selected?.key);
}

/** Shows what another session asks, of which nothing has been read yet. */
function ask(state: AppState, session: string | undefined): AppState {
  const left = leaveNote(state);
  const {board} = left;
  if (!board) return left;
  const asked: AppState = {...left, board: {...board, session}, request: undefined, focus: {kind: 'prompt'}};
  const tab = session === undefined ? undefined : asked.sessions[session];
  if (!tab) return asked;
  return changeAsIfShown(asked, (shown) => followRequests(shown, tab.session, shown.lastTypedAt));
}

/** A note that was not sent stays with its session, or else with what is typed on the board: a session that is only peeked at is left. */
function leaveNote(state: AppState): AppState {
  const {board} = state;
  const key = board?.session ?? state.active;
  const tab = state.sessions[key];
  if (!tab?.note) return state;
  if (!tab.isPeeked || !board) return changeSession(state, key, moveNoteToDraft);
  const text = draftText(tab.note.draft);
  const kept = changeSession(state, key, (peeked) => ({...peeked, note: undefined}));
  return text === '' ? kept : {...kept, board: {...board, draft: prependToDraft(board.draft, text)}};
}
