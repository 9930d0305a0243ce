import {hasNoSession} from '../session/selectors.ts';
import type {SessionState} from '../session/state.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {closeBoard} from './board/follow-board.ts';
import {emptyDraft, isEmpty} from './editor/draft.ts';
import {prependDraft} from './editor/insert.ts';
import {callAction, emitEvent, nothing, combine, type Reaction} from './effects.ts';
import {foldedViewer, leaveScreen} from './pages/viewer.ts';
import {openSessionList} from './pickers/picker.ts';
import {followRequests} from './requests/request-guard.ts';
import {activeSession, changeSession, moveFormsToDraft, moveNoteToDraft} from './sessions.ts';
import {sessionKeys} from './open-sessions.ts';
import type {AppState, SessionKey} from './state.ts';

/** Shows another open session; each keeps its draft, and where its transcript was scrolled to. */
export function activateSession(state: AppState, key: SessionKey): AppState {
  if (state.active === key || state.sessions[key] === undefined) return state;
  const left = leaveScreen(changeSession(state, state.active, moveNoteToDraft));
  const shown: AppState = {
    ...changeSession(left, key, (tab) => ({...tab, left: undefined, isPeeked: false})),
    active: key,
    overlay: {kind: 'none'},
    viewer: state.sessions[key]?.left?.viewer ?? foldedViewer,
    focus: {kind: 'prompt'},
    request: undefined,
    menu: {selected: 0, dismissed: false},
  };
  const closed = closeBoard(shown);
  // A pending request there may take the focus only after a pause in typing.
  return followRequests(closed, activeSession(closed).session, closed.lastTypedAt);
}

/** Removes a session, and shows another if it was on the screen. The last one stays. */
export function removeSession(state: AppState, key: SessionKey): AppState {
  const next = sessionKeys(state).find((other) => other !== key);
  if (next === undefined || state.sessions[key] === undefined) return state;
  const shown = state.active === key ? activateSession(state, next) : state;
  const {[key]: _closed, ...sessions} = shown.sessions;
  return {...shown, sessions};
}

/** Returns the notice of a background session that the user should see; undefined for none. */
export function backgroundNotice(before: SessionState, {entries}: SessionState): string | undefined {
  const last = entries.length > before.entries.length ? entries.at(-1) : undefined;
  return last?.type === 'notice' && last.level !== 'info'
    ? sanitizeLine(last.text.replaceAll(/\s+/g, ' '))
    : undefined;
}

/** Moves the drafts of a session to another one. */
export function moveUnsent(state: AppState, from: SessionKey, to: SessionKey): AppState {
  const source = state.sessions[from];
  if (!source) return state;
  const {draft, stash} = moveFormsToDraft(moveNoteToDraft(source));
  const emptied = changeSession(state, from, (tab) => ({
    ...tab,
    draft: emptyDraft,
    stash: undefined,
    note: undefined,
    forms: {},
  }));
  return changeSession(emptied, to, (tab) => ({
    ...tab,
    draft: isEmpty(tab.draft) ? draft : prependDraft(tab.draft, draft),
    stash: stash ?? tab.stash,
  }));
}

/** Opens a session that is wanted once its agent runs without one, unless one is being selected. */
export function openWantedSession(state: AppState, key: SessionKey): Reaction {
  const tab = state.sessions[key];
  const isSelecting = key === state.active && openSessionList(state) !== undefined;
  if (!tab?.wantsSession || !hasNoSession(tab.session) || isSelecting) return nothing;
  return combine(
    emitEvent({type: 'session_wanted', key, isWanted: false}),
    callAction(key, 'openSession', {kind: 'new'}),
  );
}
