import type {Entry} from '../../session/entries.ts';
import type {SessionState} from '../../session/state.ts';
import {subagentName} from '../../session/subagents/names.ts';
import {isWorking, subagentEntry, subagentForDisplay} from '../../session/subagents/tree.ts';
import type {AppEventOf} from '../events.ts';
import type {Action} from '../keymap/keymap.ts';
import {activeSession, changeSession} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {scrollDistance} from './scroll.ts';
import type {Viewer, ViewerPosition} from './viewer-state.ts';

export const START: ViewerPosition = {from: 'start', rows: 0};
export const END: ViewerPosition = {from: 'end', rows: 0};

/** At the end, with everything unfolded. */
export const openedViewer: Viewer = {
  position: END,
  page: 0,
  search: '',
  nearest: 0,
  isFolded: false,
  flipped: [],
};

/** At the end, folded as on the inline screen. */
export const foldedViewer: Viewer = {...openedViewer, isFolded: true};

/** True if the long parts of an entry are folded. */
export function isFolded({isFolded, flipped}: Viewer, id: string): boolean {
  return isFolded !== flipped.includes(id);
}

/** Returns the session whose transcript is shown: a stored one, a subagent's, or the active one. */
export function viewedSession(state: AppState): SessionState {
  const active = activeSession(state).session;
  if (state.overlay.kind !== 'transcript') return active;
  const {read = active, subagent} = state.overlay;
  return (subagent === undefined ? undefined : subagentForDisplay(read, subagent)) ?? read;
}

/** Returns the subagent whose transcript is shown, and whether it has subagents to open. */
export function viewedSubagent(state: AppState) {
  const {overlay} = state;
  const {read, subagent: id} = overlay.kind === 'transcript' ? overlay : {};
  const {subagents} = viewedSession(state);
  const hasSubagents = Object.values(subagents).some(({parent}) => parent === id);
  if (id === undefined) return {hasSubagents};
  // Its entry is in its parent's transcript.
  const entry = subagentEntry(activeSession(state).session, id);
  const canCancel = !read && entry?.canCancel === true && isWorking(entry);
  return {hasSubagents, subagent: {name: subagentName({subagents}, id), canCancel}};
}

/** Returns the viewer of the session itself: after a read-only transcript, it is shown at its end. */
export function viewerBelow({overlay, viewer}: AppState): Viewer {
  const isOther = overlay.kind === 'transcript' && (overlay.read ?? overlay.subagent) !== undefined;
  return isOther ? foldedViewer : viewer;
}

/** Notes what is on the screen of the session that is about to be covered. */
export function leaveScreen(state: AppState): AppState {
  return changeSession(state, state.active, (tab) => ({
    ...tab,
    left: tab.left ?? {entries: tab.session.entries.length, viewer: viewerBelow(state)},
  }));
}

/** True while a scrollable transcript is shown. */
export function isScrollable({screen, overlay}: AppState): boolean {
  return screen === 'full' || overlay.kind === 'transcript';
}

/** Returns the change to the other screen mode. */
export function otherScreen({screen}: Pick<AppState, 'screen'>): AppEventOf<'screen_changed'> {
  return {type: 'screen_changed', screen: screen === 'full' ? 'inline' : 'full'};
}

/** Applies the view's report, unless the position was changed meanwhile. */
export function viewerDrawn(state: AppState, event: AppEventOf<'viewer_drawn'>): AppState {
  const {viewer} = state;
  const {of, position, page, foldable, card} = event;
  if (viewer.position !== of) return {...state, viewer: {...viewer, page}};
  const seen = position.from === 'end' ? undefined : (viewer.seen ?? viewedSession(state).entries.length);
  return {...state, viewer: {...viewer, position, page, foldable, card, seen}};
}

/**
 * Applies the matches reported by the view. While the search is typed, jumps to the next match from the starting position; in a transcript that was opened for
 * its matches, to the first.
 */
export function viewerSearched(
  state: AppState,
  {search, hits, nearest}: AppEventOf<'viewer_searched'>,
): AppState {
  const {viewer} = state;
  if (viewer.search !== search) return state;
  const found = {...viewer, hits, nearest};
  const wanted = viewer.typingFrom === undefined ? viewer.hit : nearest;
  return {
    ...state,
    viewer: wanted !== undefined && viewer.hits === undefined ? atHit(found, wanted) : found,
  };
}

/** Moves to the next or previous match, wrapping around. */
export function goToNextHit(viewer: Viewer, direction: 1 | -1): Viewer {
  const {hit, nearest} = viewer;
  if (hit !== undefined) return atHit(viewer, hit + direction);
  return atHit(viewer, direction === 1 ? nearest : nearest - 1);
}

function atHit(viewer: Viewer, index: number): Viewer {
  const {hits = [], page} = viewer;
  if (hits.length === 0) return {...viewer, hit: undefined};
  const hit = (index + hits.length) % hits.length;
  const place = hits[hit];
  if (place === undefined) return viewer;
  const position = {from: 'entry', id: place.id, rows: place.row - Math.floor(page / 3)} as const;
  return {...viewer, hit, position};
}

/** Folds or unfolds everything, or one entry, keeping the position of the uppermost foldable entry. */
export function toggleFold(viewer: Viewer, what: 'all' | {readonly id: string}): Viewer {
  const {flipped, foldable} = viewer;
  const repositioned = {...viewer, position: keptPosition(viewer), hit: undefined, hits: undefined};
  if (what === 'all') return {...repositioned, isFolded: !viewer.isFolded, flipped: []};
  const others = flipped.filter((each) => each !== what.id);
  const isTop = foldable?.id === what.id;
  return {
    ...repositioned,
    position: isTop ? repositioned.position : viewer.position,
    flipped: others.length < flipped.length ? others : [...flipped, what.id],
  };
}

function keptPosition({position, foldable}: Viewer): ViewerPosition {
  if (foldable === undefined || position.from === 'end') return position;
  return {from: 'entry', id: foldable.id, rows: Math.min(foldable.row, 0)};
}

/** Returns the position after a scrolling key; undefined if the action does not scroll. */
export function positionAfterScroll(
  {position, page}: Viewer,
  action: Action | undefined,
): ViewerPosition | undefined {
  const by = scrollDistance(action, page);
  if (by === undefined) return undefined;
  if (Number.isFinite(by)) return movePosition(position, by);
  return by < 0 ? START : END;
}

/** Returns the position some rows further down, or up if negative. */
export function movePosition(position: ViewerPosition, by: number): ViewerPosition {
  const rows = position.rows + by;
  if (position.from === 'end') return {from: 'end', rows: Math.min(0, rows)};
  return {...position, rows: position.from === 'start' ? Math.max(0, rows) : rows};
}

/** Scrolls and clears the selection. */
export function scrollTo(position: ViewerPosition): Partial<Viewer> {
  return {position, hit: undefined, selected: undefined};
}

/** What a key can jump to. */
export type Landmark = 'prompt' | 'call' | 'failure';

const LANDMARKS: {readonly [Kind in Landmark]: (entry: Entry) => boolean} = {
  prompt: ({type}) => type === 'user_message' || type === 'shell_command',
  call: ({type}) => type === 'tool_call' || type === 'subagent',
  failure: (entry) =>
    entry.type === 'failure' ||
    (entry.type === 'tool_call' && entry.status === 'failed') ||
    (entry.type === 'turn_end' && entry.summary.outcome.kind === 'failed'),
};

/** Returns the id of the next or previous landmark of a kind; undefined if there is none. */
export function landmarkFrom(
  {entries}: Pick<SessionState, 'entries'>,
  {position, selected}: Viewer,
  {kind, direction}: {readonly kind: Landmark; readonly direction: 1 | -1},
): string | undefined {
  const isWanted = LANDMARKS[kind];
  const at = selected ?? (position.from === 'entry' ? position.id : undefined);
  const index = at === undefined ? undefined : entries.findLastIndex(({id}) => id === at);
  let next = index ?? (position.from === 'start' ? -1 : entries.length);
  // An entry that starts above the screen counts as before it.
  if (selected === undefined && direction === -1 && position.from === 'entry' && position.rows > 0) next += 1;
  for (next += direction; next >= 0 && next < entries.length; next += direction) {
    const entry = entries.get(next);
    if (entry !== undefined && isWanted(entry)) return entry.id;
  }
  return undefined;
}

/** Returns the viewer with an entry selected at the top of the screen. */
export function jumpToEntry(id: string): Partial<Viewer> {
  return {position: {from: 'entry', id, rows: 0}, selected: id, hit: undefined};
}
