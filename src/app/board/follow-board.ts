import {prependDraft, prependToDraft} from '../editor/insert.ts';
import {draftText, emptyDraft, type Draft} from '../editor/draft.ts';
import {emitEvent, type Reaction} from '../effects.ts';
import {leaveScreen} from '../pages/viewer.ts';
import {followRequests} from '../requests/request-guard.ts';
import {activeSession, changeSession, moveNoteToDraft} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {boardRows, longestWaiting} from './board-rows.ts';
import {NEW, type BoardTyping, type BoardView} from './board-view.ts';

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
  kept: {},
  filter: '',
  groupBy: 'state',
  next: {},
};

/** Opens the board, which fills as sessions are found. */
export function openBoard(state: AppState): AppState {
  if (state.board) return state;
  return ask(
    {...leaveScreen(leaveNote(state)), board: emptyBoard, overlay: {kind: 'none'}, hints: 0},
    undefined,
  );
}

/** Starts to type something else; what was typed before it is kept, but for a filter. */
export function withTyping(board: BoardView, typing: BoardTyping): BoardView {
  const kept = allTyped(board);
  const draft = kept[placeOf({...board, typing})] ?? emptyDraft;
  return {...board, typing, kept, draft: typing === 'filter' ? emptyDraft : draft, filter: ''};
}

function allTyped(board: BoardView): BoardView['kept'] {
  const {typing, draft, kept} = board;
  return typing === 'filter' ? kept : {...kept, [placeOf(board)]: draft};
}

function placeOf({typing, selected}: BoardView): string {
  return typing === 'reply' && selected !== undefined ? selected : NEW;
}

/** Gives a prompt back that could not be sent to a new session. */
export function returnPrompt(state: AppState, text: string): AppState {
  const {board} = state;
  if (!board) return prepended(state, state.active, text);
  return {...state, board: withPrompt(board, (draft) => prependToDraft(draft, text))};
}

/** Changes the prompt of a new session, also while something else is typed. */
function withPrompt(board: BoardView, change: (draft: Draft) => Draft): BoardView {
  if (board.typing === 'new') return {...board, draft: change(board.draft)};
  return {...board, kept: {...board.kept, [NEW]: change(board.kept[NEW] ?? emptyDraft)}};
}

function prepended(state: AppState, key: string, text: string): AppState {
  return changeSession(state, key, (tab) => ({...tab, draft: prependToDraft(tab.draft, text)}));
}

/** Closes it; what was typed for another session is kept in the prompt, a reply in that of its session if this window has it. */
export function closeBoard(state: AppState): AppState {
  const left = leaveNote(state);
  if (!state.board || !left.board) return state;
  const typed = Object.entries(allTyped(left.board));
  const closed: AppState = {
    ...changeSession(left, left.active, (tab) => ({...tab, left: undefined})),
    board: undefined,
    request: undefined,
    focus: {kind: 'prompt'},
  };
  const kept = typed.reduce((before, [id, draft]) => {
    const text = draftText(draft).trim();
    return text === '' ? before : prepended(before, before.sessions[id] ? id : before.active, text);
  }, closed);
  return followRequests(kept, activeSession(kept).session, kept.lastTypedAt);
}

export function changeBoard(state: AppState, change: Partial<BoardView>): AppState {
  return state.board ? {...state, board: {...state.board, ...change}} : state;
}

/** Keeps the selection on a row that is listed, and what is asked on its session. After an answer, the session is next that has waited longest; not while a reply is typed, which is for the selected one. */
export function followBoard(state: AppState, before: AppState): AppState {
  const {board} = state;
  if (!board || (state.sessions === before.sessions && board === before.board)) return state;
  const rows = boardRows(state, board);
  const old = rows.find(({id}) => id === board.selected);
  const isAnswered = before.request?.phase.kind === 'answered' && state.request === undefined;
  const next = isAnswered && board.session === before.board?.session ? longestWaiting(rows) : undefined;
  const selected = board.typing === 'reply' ? old : (next ?? old ?? rows[0]);
  const moved =
    selected?.id === board.selected || board.typing === 'reply'
      ? state
      : {...state, board: {...board, selected: selected?.id}};
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

/** A note that was not sent stays with its session, or else with the board's prompt: a session that is only peeked at is left. */
function leaveNote(state: AppState): AppState {
  const {board} = state;
  const key = board?.session ?? state.active;
  const tab = state.sessions[key];
  if (!tab?.note) return state;
  if (!tab.isPeeked || !board) return changeSession(state, key, moveNoteToDraft);
  const note = tab.note.draft;
  const kept = changeSession(state, key, (peeked) => ({...peeked, note: undefined}));
  return {...kept, board: withPrompt(board, (draft) => prependDraft(draft, note))};
}
