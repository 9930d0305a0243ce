import {isOpenedLink, pendingRequest} from '../../session/selectors.ts';
import {holdsCommand} from '../../session/requests/command-fields.ts';
import {hidesText} from '../../session/requests/hidden-text.ts';
import type {PendingPermission, PendingRequest, SessionState} from '../../session/state.ts';
import type {AppEventOf} from '../events.ts';
import {keyFor, keyName} from '../keymap/key-names.ts';
import type {Action, Keymap} from '../keymap/keymap.ts';
import {type Scroll, firstRowAfterScroll, unscrolled, clampFirstRow} from '../pages/scroll.ts';
import {activeSession, isQuiet, QUIET_MS} from '../sessions.ts';
import type {AppState, Focus, RequestView} from '../state.ts';
import {afterClosing, focusedPhase, rejectFromOf, type Focusing, type RequestPhase} from './request-phase.ts';
import {firstSelected, stillSelected} from './answers.ts';
import type {ReadingLevel, SeenRows} from './seen-rows.ts';
import {maxOf, minOf} from '../../text/lists.ts';

/*
 * Protection against answering a request by accident. A request takes the focus by itself only while the user is not typing, keys count only once it was drawn, and
 * allowing requires that it was read.
 */

/** The notice for an ignored key. */
export const TOO_SOON = 'Key pressed too soon, or held down; wait a moment and press it again.';

/** Keeps the view on the oldest request of the active session, and resets what was seen of one that has changed. */
export function followRequests(state: AppState, before: SessionState, at: number): AppState {
  const {session} = activeSession(state);
  const [head] = session.pending;
  if (head === undefined) return state.request === undefined ? state : withoutRequest(state);
  if (state.request?.id !== head.id) return nextRequest(state, {head, at});
  if (before.pending.some((shown) => looksAs(shown, head))) return state;
  const {version} = state.request;
  if (head.kind !== 'permission') return nextRequest(state, {head, at, version: version + 1});
  const changer = state.request.phase.kind === 'unseen' ? undefined : changerOf(before, head);
  const changed = state.request.changed === 'agent' ? 'agent' : (changer ?? state.request.changed);
  const rejectFrom = isFocused(state) ? rejectFromOf(state.request.phase) : Infinity;
  return changeRequest(state, {
    version: version + 1,
    phase: {kind: 'unseen', isGiven: false, rejectFrom},
    seen: nothingSeen,
    scroll: unscrolled,
    selected: selectedAfter(before, head, state.request.selected),
    changed,
  });
}

/** What is only known since is not counted as a change of a request. */
function looksAs(shown: PendingRequest, head: PendingRequest): boolean {
  if (shown.kind !== 'permission' || head.kind !== 'permission') return shown === head;
  return shown.id === head.id && shown.changes === head.changes;
}

/** Returns whether the agent changed a request, or its files changed on disk. */
function changerOf({pending}: SessionState, now: PendingPermission): RequestView['changed'] {
  const before = pending.find(({id}) => id === now.id);
  if (before?.kind !== 'permission') return undefined;
  if (before.call !== now.call) return 'agent';
  return now.outdated?.length && before.outdated !== now.outdated ? 'disk' : undefined;
}

function selectedAfter({pending}: SessionState, now: PendingPermission, selected: number): number {
  const before = pending.find(({id}) => id === now.id);
  return before?.kind === 'permission' ? stillSelected(before, now, selected) : selected;
}

function withoutRequest(state: AppState): AppState {
  return {...state, request: undefined, focus: withoutRequests(state.focus)};
}

interface Shown {
  readonly head: PendingRequest;
  readonly at: number;
  readonly version?: number;
}

/** The focus stays on requests, but no key counts before the next one was drawn. */
function nextRequest(state: AppState, {head, at, version = 0}: Shown): AppState {
  // While the user works in the browser, nothing is asked, and typing goes to the prompt.
  const isPassive = isOpenedLink(head);
  const isWanted = asksForSecret(head) && mayTakeSecret(state, at);
  const request: RequestView = {
    id: head.id,
    version,
    phase: {kind: 'unseen', isGiven: isWanted, rejectFrom: Infinity},
    seen: nothingSeen,
    scroll: unscrolled,
    selected: head.kind === 'permission' ? firstSelected(head) : 0,
    declined: isPassive,
  };
  const focus: Focus =
    isWanted || (state.focus.kind === 'request' && !isPassive)
      ? {kind: 'request', id: head.id}
      : withoutRequests(state.focus);
  // The keys that are shown give way.
  const overlay = state.overlay.kind === 'first_keys' ? ({kind: 'none'} as const) : state.overlay;
  return {...state, request, focus, overlay};
}

/** A question of acp-tui's own that the user just triggered: typing must not go to the prompt. */
function asksForSecret(request: PendingRequest): boolean {
  return request.kind === 'form' && request.fields.some(({secret}) => secret);
}

function mayTakeSecret({board, focus, overlay, lastTypedAt}: AppState, at: number): boolean {
  return (
    board === undefined && focus.kind === 'prompt' && overlay.kind === 'none' && at - lastTypedAt >= QUIET_MS
  );
}

/** A command keeps the focus whatever is asked meanwhile: the user may be typing a password. So does the queue. */
function withoutRequests(focus: Focus): Focus {
  return focus.kind === 'command' || focus.kind === 'queue' ? focus : {kind: 'prompt'};
}

/** Applies the view's report of what is on the screen. */
export function requestDrawn(state: AppState, event: AppEventOf<'request_drawn'>): AppState {
  const view = state.request;
  const {id, version, drawn, columns, rule, at} = event;
  if (view?.id !== id || view.version !== version) return state;
  const request: RequestView = {
    ...view,
    // A key may have scrolled since.
    scroll: {...drawn, firstRow: clampFirstRow(drawn, view.scroll.firstRow)},
    seen: withSeen(view.seen, drawn, columns),
    rule,
  };
  const {phase} = view;
  const shown = {...state, request};
  if (phase.kind !== 'unseen') return takeFocusIfQuiet(shown, at);
  if (!isFocused(state))
    return takeFocusIfQuiet(
      changePhase(shown, () => ({kind: 'shown', at})),
      at,
    );
  const {isGiven, rejectFrom} = phase;
  return focused(shown, {by: isGiven ? 'user' : 'previous', at, shownAt: at, rejectFrom});
}

/** Focuses the request, which is on the screen. */
function focused(
  state: AppState,
  how: Pick<Focusing, 'by' | 'at' | 'shownAt' | 'rejectFrom'> & Partial<Pick<Focusing, 'keyAt'>>,
): AppState {
  const {request} = state;
  if (!request) return state;
  const pending = pendingRequest(activeSession(state).session, request.id);
  const phase = focusedPhase({
    keyAt: state.lastKey?.at ?? 0,
    ...how,
    isChanged: request.changed !== undefined,
    isDeceptive: pending !== undefined && isDeceptive(pending),
  });
  return {...state, focus: {kind: 'request', id: request.id}, request: {...request, phase}};
}

function isFocused(state: AppState): boolean {
  return state.focus.kind === 'request';
}

/** Focuses a visible request if that cannot catch a key meant for the prompt. */
export function takeFocusIfQuiet(state: AppState, at: number): AppState {
  const {request} = state;
  if (request?.phase.kind !== 'shown' || request.declined || !isQuiet(state, at)) return state;
  return focused(state, {by: 'itself', at, shownAt: request.phase.at, rejectFrom: Infinity});
}

/** True while a request would take the focus after a pause in typing. */
export function waitsForQuiet(state: AppState): boolean {
  const {request} = state;
  return request?.phase.kind === 'shown' && !request.declined && isQuiet(state, Infinity);
}

/** The user moves the focus. A request that gets it or loses it is guarded anew; one that is gone does not get it. */
export function focusChanged(state: AppState, {focus, at}: AppEventOf<'focus_changed'>): AppState {
  const {request} = state;
  if (isOnRequest(focus) && focus.id !== request?.id) return state;
  if (!request || !(isOnRequest(focus) || isOnRequest(state.focus))) return {...state, focus};
  const {phase, changed} = request;
  const moved = changeRequest({...state, focus}, {declined: focus.kind === 'prompt' || request.declined});
  const isGiven = focus.kind === 'request';
  switch (phase.kind) {
    case 'unseen': {
      // One that was drawn before it changed can be rejected as soon as the user focuses it.
      const rejectFrom = isGiven && changed !== undefined ? at : Infinity;
      return changePhase(moved, () => ({kind: 'unseen', isGiven, rejectFrom}));
    }
    case 'answered':
      return changePhase(moved, () => ({kind: 'answered', rejectFrom: isGiven ? at : Infinity}));
    default: {
      const shownAt = phase.kind === 'shown' ? phase.at : phase.shownAt;
      if (!isGiven) return changePhase(moved, () => ({kind: 'shown', at: shownAt}));
      // The key that focuses it is the last one only afterwards.
      return focused(moved, {by: 'user', at, shownAt, rejectFrom: at, keyAt: at});
    }
  }
}

function isOnRequest(focus: Focus): focus is Extract<Focus, {kind: 'request' | 'note'}> {
  return focus.kind === 'request' || focus.kind === 'note';
}

/** A key that closed something over the request must not answer it. */
export function guardRequest(state: AppState, at: number): AppState {
  return changePhase(state, (phase) => afterClosing(phase, at));
}

/** The request waits for an answer again, if it still does: as after a change, no key counts before it was drawn. */
export function answerNotTaken(state: AppState, {id}: AppEventOf<'request_not_taken'>): AppState {
  const {request} = state;
  if (request?.id !== id || request.phase.kind !== 'answered') return state;
  const {rejectFrom} = request.phase;
  return changeRequest(state, {
    version: request.version + 1,
    phase: {kind: 'unseen', isGiven: false, rejectFrom},
  });
}

/** Changes the phase of the request; the same state if there is none, or nothing has changed. */
export function changePhase(state: AppState, change: (phase: RequestPhase) => RequestPhase): AppState {
  if (!state.request) return state;
  const phase = change(state.request.phase);
  return phase === state.request.phase ? state : changeRequest(state, {phase});
}

/** Changes the request in the state; the same state if there is none. */
export function changeRequest(state: AppState, change: Partial<RequestView>): AppState {
  return state.request ? {...state, request: {...state.request, ...change}} : state;
}

const nothingSeen: SeenRows = {columns: 0, totalRows: 0, ranges: []};

/** Adds the rows now on the screen. If the text wraps differently, all rows count as unseen again. */
function withSeen(seen: SeenRows, drawn: Scroll, columns: number): SeenRows {
  const {firstRow, visibleRows, totalRows} = drawn;
  const isSame = seen.columns === columns && seen.totalRows === totalRows;
  const before = isSame ? seen.ranges : [];
  const shown = {from: firstRow, to: Math.min(firstRow + visibleRows, totalRows)};
  if (shown.to <= shown.from) return {columns, totalRows, ranges: before};
  const touching = before.filter(({from, to}) => from <= shown.to && shown.from <= to);
  const joined = {
    from: minOf(
      touching.map(({from}) => from),
      shown.from,
    ),
    to: maxOf(
      touching.map(({to}) => to),
      shown.to,
    ),
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

/** Returns the first row from `start` on that has not been visible; the number of rows if all have. */
function firstUnseen({ranges}: SeenRows, start: number): number {
  return ranges.find(({from, to}) => from <= start && start < to)?.to ?? start;
}

/** Returns the first unseen row of the suggested rule, or of everything if the rule is not drawn; undefined if all were seen. */
export function unseenOfRule({
  seen,
  rule,
}: Pick<RequestView, 'seen' | 'rule'>): number | 'its answer' | undefined {
  if (rule === 'in its answer') return undefined;
  if (rule === 'off the screen') return 'its answer';
  const {from, to} = rule ?? {from: 0, to: seen.totalRows};
  const row = firstUnseen(seen, from);
  return row < to ? row : undefined;
}

/** How much of a request must have been visible, and how much was. */
export interface Reading {
  /** Whether every row must have been visible, or the last one. */
  readonly needed: 'all' | 'end';
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
  const last = seen.ranges.at(-1)?.to ?? 0;
  if (level === 'commands' && isChange(request)) {
    // If there was no room for a single row, nothing was read.
    const isEndSeen = last > 0 && last === seen.totalRows;
    return {needed: 'end', left: isEndSeen ? 0 : Math.max(1, unseen), unseen, next: last};
  }
  const left = last === 0 ? Math.max(1, unseen) : unseen;
  return {needed: 'all', left, unseen, next: firstUnseen(seen, 0)};
}

/** Returns the first row after a scrolling key, without skipping unseen rows: keys may be faster than frames. */
export function readBy(action: Action | undefined, {scroll, seen}: RequestView): number | undefined {
  const firstRow = firstRowAfterScroll(action, scroll);
  if (action !== 'scroll_page_down' || firstRow === undefined) return firstRow;
  return Math.min(firstRow, firstUnseen(seen, scroll.firstRow));
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

/** Returns how to allow a request with hidden characters. */
export function unlockSentence(keymap: Keymap): string {
  return `Contains hidden characters. To allow: ${keyFor('unlock_allowing', keymap)}, then a number.`;
}

/** Returns the names of the keys for the next page. */
export function pageKeys({request}: Keymap): string {
  return (request.scroll_page_down ?? []).map(keyName).toReversed().join('/');
}
