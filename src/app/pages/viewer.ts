import {unscrolled, within} from './scroll.ts';
import type {AppEventOf} from '../events.ts';
import type {AppState} from '../state.ts';
import type {Viewer} from './viewer-state.ts';

export const openedViewer: Viewer = {
  scroll: unscrolled,
  search: '',
  typingFrom: undefined,
  hits: [],
  hit: undefined,
  isFolded: false,
  flipped: [],
  foldable: undefined,
  anchor: undefined,
};

/** True if the long parts of an entry are folded. */
export function isFolded({isFolded, flipped}: Viewer, id: string): boolean {
  return isFolded !== flipped.includes(id);
}

/** The state with its viewer changed; the same state while it is closed. */
export function changeViewer(state: AppState, change: (viewer: Viewer) => Viewer): AppState {
  if (state.overlay.kind !== 'transcript') return state;
  return {...state, overlay: {...state.overlay, ...change(state.overlay)}};
}

/** The view reports the matches. While the search is typed, it jumps to the next match from where it started. */
export function viewerSearched(state: AppState, {search, hits}: AppEventOf<'viewer_searched'>): AppState {
  return changeViewer(state, (viewer) => {
    if (viewer.search !== search) return viewer;
    const found = {...viewer, hits};
    if (viewer.typingFrom === undefined) return found;
    const from = viewer.typingFrom;
    return atHit(found, hits.find((row) => row >= from) ?? hits[0]);
  });
}

/** Goes to the next hit, or the one before; round at the ends. */
export function atNextHit(viewer: Viewer, direction: 1 | -1): Viewer {
  const {hits, hit, scroll} = viewer;
  if (direction === 1) {
    const after = hit ?? scroll.firstRow - 1;
    return atHit(viewer, hits.find((row) => row > after) ?? hits[0]);
  }
  const before = hit ?? scroll.firstRow;
  return atHit(viewer, hits.findLast((row) => row < before) ?? hits.at(-1));
}

/** The row, with some above it, unless it is on the screen already. */
function atHit(viewer: Viewer, row: number | undefined): Viewer {
  if (row === undefined) return {...viewer, hit: undefined};
  const {scroll} = viewer;
  const {firstRow, visibleRows} = scroll;
  const isSeen = row >= firstRow && row < firstRow + visibleRows;
  const wanted = isSeen ? firstRow : within(scroll, row - Math.floor(visibleRows / 3));
  return {...viewer, hit: row, anchor: undefined, scroll: {...scroll, firstRow: wanted}};
}

/** Folds or opens everything, or one entry; what can be folded on the screen stays in its place. */
export function folded(viewer: Viewer, what: 'all' | 'one'): Viewer {
  const {flipped, foldable} = viewer;
  const anchor = foldable && {...foldable, above: Math.min(foldable.above, 0)};
  const kept = {...viewer, anchor, hit: undefined};
  if (what === 'all') return {...kept, isFolded: !viewer.isFolded, flipped: []};
  if (foldable === undefined) return viewer;
  const {id} = foldable;
  const others = flipped.filter((each) => each !== id);
  return {...kept, flipped: others.length < flipped.length ? others : [...flipped, id]};
}

/** A row number decides from here on. */
export function withoutAnchor(viewer: Viewer): Viewer {
  return {...viewer, anchor: undefined, hit: undefined};
}
