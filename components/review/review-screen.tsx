import {useWindowSize} from 'ink';
import type {AppEvent} from '../../src/app/events.ts';
import type {KeyEvent} from '../../src/app/input/keys.ts';
import type {ReviewView} from '../../src/app/review/review-view.ts';
import {activeSession} from '../../src/app/sessions.ts';
import type {AppState} from '../../src/app/state.ts';
import {agentName} from '../../src/app/status/status-line.ts';
import type {Store} from '../../src/shared/store.ts';
import {useThemeOf, useKeys, useSeen, useStore} from '../hooks.ts';
import type {TerminalCapabilities} from '../terminal/capabilities.ts';
import type {OnFrameSent} from '../terminal/sent-frames.ts';
import {ThemeContext} from '../theme/theme.tsx';
import {Review, reviewRows} from './review.tsx';

interface ReviewScreenProps {
  readonly store: Store<AppState, AppEvent>;
  readonly capabilities: TerminalCapabilities;
  readonly press: (key: KeyEvent) => void;
  readonly view: ReviewView;
  readonly onFrameSent: OnFrameSent;
}

/** The review on a separate screen. */
export function ReviewScreen({store, capabilities, press, view, onFrameSent}: ReviewScreenProps) {
  const state = useStore(store, (state) => state);
  const {columns, rows} = useWindowSize();
  const {toast} = state;
  const tab = activeSession(state);
  const theme = useThemeOf(state, columns, capabilities);
  const waiting = tab.session.pending.length > 0 ? 'A request is waiting' : undefined;
  const {news, rows: room} = reviewRows(rows, toast?.text || waiting);
  const pageRows = Math.max(1, room - 1);
  useKeys(press);
  const shown = {firstRow: 0, visibleRows: pageRows, totalRows: pageRows};
  useSeen({subject: 'review', drawn: shown, onFrameSent}, ({visibleRows}) =>
    store.dispatch({type: 'review_changed', change: {pageRows: visibleRows}}, 'urgent'),
  );
  return (
    <ThemeContext value={theme}>
      <Review view={view} agentName={agentName(tab)} news={news} rows={room} />
    </ThemeContext>
  );
}
