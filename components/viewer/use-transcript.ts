import {useEffect, useMemo, useState, useSyncExternalStore} from 'react';
import type {AppEvent} from '../../src/app/events.ts';
import {isFolded, viewedSession, viewedSubagent} from '../../src/app/pages/viewer.ts';
import {activeSession} from '../../src/app/sessions.ts';
import type {AppState} from '../../src/app/state.ts';
import {createStartCards, type StartCard} from '../../src/app/status/start-card.ts';
import {stateTitle} from '../../src/session/labels/session-states.ts';
import type {Store} from '../../src/shared/store.ts';
import {arrivalCount, onArrival} from '../../src/worker/arrivals.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {rowsInMargin} from '../layout/lines.ts';
import type {Theme} from '../theme/theme.tsx';
import {rowsOfStartCard} from '../transcript/start-card.ts';
import {useSearch} from './search-transcript.ts';
import {
  topSubagentCard,
  createTranscriptRows,
  topFoldable,
  type TranscriptRows,
  type VisibleRows,
} from './transcript-rows.ts';
import {type FooterState, placeLabel} from './foot.tsx';
import {rowsOfView} from './viewer-lines.ts';
import {rowsOfWaiting, callsShownInRequests} from './waiting-requests.ts';

interface TranscriptOptions {
  readonly store: Store<AppState, AppEvent>;
  readonly theme: Theme;
  /** Rows available for it. */
  readonly room: number;
}

/** Returns the visible part of the transcript at the state's scroll position. */
export function useTranscript(state: AppState, options: TranscriptOptions) {
  const {store, room} = options;
  const {viewer, overlay} = state;
  const session = viewedSession(state);
  const isReading = overlay.kind === 'transcript';
  const transcript = useRows(state);
  const theme = isReading ? {...options.theme, asked: callsShownInRequests(session)} : options.theme;
  const end = isReading ? rowsOfWaiting(session, {...theme, extent: 'whole'}) : [];
  const source = {session, theme, isFolded: (id: string) => isFolded(viewer, id), end};
  // Away from the end, a row says so.
  const isPinned = viewer.position.from === 'end' && viewer.position.rows === 0;
  const page = Math.max(0, room - (isPinned || isReading ? 0 : 1));
  const view = transcript.view(source, viewer.position, page);
  useDrawnView(state, store, {view, page});
  // The pages around it, so that a thread has rendered them when they are scrolled to.
  const around = {...view.position, rows: view.position.rows - page};
  useEffect(() => void transcript.view(source, around, 3 * page));
  useSearch(
    {
      transcript,
      source,
      view,
      search: viewer.search,
      folds: `${viewer.isFolded} ${viewer.flipped.join(' ')}`,
    },
    (found) => store.dispatch({type: 'viewer_searched', ...found}, 'urgent'),
  );
  const foot = {
    viewer,
    entries: session.entries.length,
    first: view.first,
    news: activeSession(state).session.pending.length > 0 ? stateTitle('waiting') : undefined,
    ...viewedSubagent(state),
  };
  const [startCard] = useState(createStartCards);
  const card = session.entries.length === 0 && !isReading ? startCard(state) : undefined;
  const rows = card
    ? rowsOfStart(card, page, theme)
    : rowsOfView(view, page, {viewer, isFolded: source.isFolded, theme});
  return {
    lines: page < room ? [...rows, placeRow(foot, theme)] : rows,
    view,
    /** Rows available for the transcript, without the row with the position. */
    page,
    /** Below everything while the transcript has the focus. */
    foot: isReading ? foot : undefined,
  };
}

/** Returns the start card at the top of an empty transcript, if it fits. */
function rowsOfStart(card: StartCard, room: number, theme: Theme): readonly string[] {
  const lines = ['', ...rowsInMargin(theme, (inner) => rowsOfStartCard(card, inner))];
  const shown = lines.length > room ? [] : lines;
  return [...shown, ...Array.from({length: Math.max(0, room - shown.length)}, () => '')];
}

/** Returns the transcript's rows: new ones for each session, drawn again when something in them has arrived. */
function useRows(state: AppState): TranscriptRows {
  const {overlay, active} = state;
  const {read, subagent} = overlay.kind === 'transcript' ? overlay : {};
  useSyncExternalStore(onArrival, arrivalCount);
  // oxlint-disable-next-line react/exhaustive-deps
  return useMemo(createTranscriptRows, [active, read, subagent]);
}

/** Reports the place of the view, and while the transcript has the focus, what can be folded and opened there. */
function useDrawnView(
  {viewer, overlay}: AppState,
  store: TranscriptOptions['store'],
  {view, page}: {readonly view: VisibleRows; readonly page: number},
): void {
  const {position} = view;
  const isReading = overlay.kind === 'transcript';
  const foldable = isReading ? topFoldable(view) : viewer.foldable;
  const card = isReading ? topSubagentCard(view) : viewer.card;
  useEffect(() => {
    const drawn = [position, page, foldable, card];
    const known = [viewer.position, viewer.page, viewer.foldable, viewer.card];
    if (JSON.stringify(drawn) !== JSON.stringify(known))
      store.dispatch({type: 'viewer_drawn', of: viewer.position, position, page, foldable, card});
  });
}

function placeRow(foot: FooterState, theme: Theme): string {
  const {paint, columns, keyOf} = theme;
  const text = truncate(`${placeLabel(foot)} · ${keyOf('transcript_end')} end`, columns);
  return ' '.repeat(Math.max(0, columns - width(text))) + paint.accent(text);
}
