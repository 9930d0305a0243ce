import {Box, measureElement, useApp, useWindowSize, type DOMElement} from 'ink';
import {useImperativeHandle, useLayoutEffect, useRef, useState, type Ref, type RefObject} from 'react';
import {needsTicks} from '../src/app/status/notifications.ts';
import type {AppEvent} from '../src/app/events.ts';
import type {KeyEvent} from '../src/app/input/keys.ts';
import {activeSession} from '../src/app/sessions.ts';
import type {AppState} from '../src/app/state.ts';
import {createStartCards, type StartCard} from '../src/app/status/start-card.ts';
import {keyFor} from '../src/app/keymap/key-names.ts';
import {agentName} from '../src/app/status/status-line.ts';
import {sessionTitle} from '../src/session/titles.ts';
import type {Store} from '../src/shared/store.ts';
import {BelowTranscript} from './below-transcript.tsx';
import {type Theme, ThemeProvider} from './theme/theme.tsx';
import {linearFrame} from './linear/linear-frame.ts';
import type {LinearFrame} from './linear/linear-output.ts';
import {callsInPanel} from './panels/panel.ts';
import {type RowAllocation, layOutScreen} from './layout.ts';
import type {TerminalCapabilities} from './terminal/capabilities.ts';
import type {OnFrameSent} from './terminal/sent-frames.ts';
import {isShownElsewhere, rowsOfChunk, rowsOfPlaced, lacksNothing} from './chunks/chunk-rows.ts';
import {LivePart} from './inline/live-part.tsx';
import {useFeed} from './inline/feed.ts';
import type {ProjectionLimits} from './inline/projector.ts';
import {useClock, useThemeOf, useStore, useKeys, useReports} from './hooks.ts';

interface AppProps {
  readonly store: Store<AppState, AppEvent>;
  readonly capabilities: TerminalCapabilities;
  /** Handles every key and paste. */
  readonly press: (key: KeyEvent) => void;
  /** Prints lines above the frame, which is then redrawn below them. */
  readonly print: (lines: readonly string[]) => void;
  readonly onFrameSent: OnFrameSent;
  /** Receives all frames if none is drawn. */
  readonly report?: ((frame: LinearFrame) => void) | undefined;
  /** True while the terminal's content differs from what Ink assumes. */
  readonly isHeld: () => boolean;
  /** True while another screen or program uses the terminal. */
  readonly isAway: () => boolean;
  /** True while the full screen uses the terminal. */
  readonly isTailOnly: () => boolean;
  /** Rows of printed lines above the frame. */
  readonly rowsAbove: () => number;
  /** Functions of the drawn window for its parent. */
  readonly handle?: Ref<AppHandle>;
}

export interface AppHandle {
  /** Releases the terminal while the callback runs. */
  readonly suspend: (callback: () => Promise<void>) => Promise<void>;
  /** Prints the live part unchanged, because no more updates follow. */
  readonly finish: () => void;
  /** Rows of the frame occupied by a list or a page, which will give them back. A request may stay for long: what it displaces has to be within reach. */
  readonly panelRows: () => number;
}

function shownSession(state: AppState, startCard: (state: AppState) => StartCard | undefined) {
  const tab = activeSession(state);
  const {key, session} = tab;
  return {key, session, title: sessionTitle(session) ?? agentName(tab), start: startCard(state)};
}

/** The latest drawn state. */
interface Latest {
  readonly theme: Theme;
  readonly shares: RowAllocation;
}

/** The theme for the session's current chunks, which may be newer than the last frame. */
function themeNow({theme}: Latest, state: AppState): Theme {
  const {cwd, terminals, subagents} = activeSession(state).session;
  return {...theme, cwd, terminals, subagents};
}

function limitsNow(latest: Latest, state: AppState): Omit<ProjectionLimits, 'hasTime'> {
  const theme = themeNow(latest, state);
  const {live, panel} = latest.shares;
  return {
    heightOf: (chunk) => rowsOfChunk(chunk, theme).length,
    liveRows: live,
    pageRows: live + panel,
    isAsked: (chunk) => isShownElsewhere(chunk, theme),
    canPrint: (chunk) => lacksNothing(chunk, theme),
  };
}

interface Drawn extends Pick<AppHandle, 'finish'> {
  readonly coverBox: RefObject<DOMElement | null>;
}

function useHandle(handle: Ref<AppHandle> | undefined, {coverBox, finish}: Drawn): void {
  const {suspendTerminal} = useApp();
  useImperativeHandle(
    handle,
    () => ({
      suspend: async (callback) => suspendTerminal(callback),
      finish,
      panelRows: () => (coverBox.current === null ? 0 : measureElement(coverBox.current).height),
    }),
    // Stable references: otherwise React would detach the handle while a frame is drawn.
    [suspendTerminal, finish, coverBox],
  );
}

/** The inline window: finished chunks go into the scrollback, a small live part is redrawn. */
export function App(props: AppProps) {
  const {store, capabilities, press, isHeld, isAway, isTailOnly, print, report, rowsAbove, handle} = props;
  const state = useStore(store, (state) => state);
  const screen = useWindowSize();
  const {session} = activeSession(state);
  const unasked = useThemeOf({
    session,
    agentName: agentName(activeSession(state)),
    look: state,
    keymap: state.keymap,
    columns: screen.columns,
    capabilities,
  });
  const now = useClock(needsTicks(state));
  const parts = layOutScreen(state, {screen, now, theme: unasked, above: rowsAbove()});
  const {shares} = parts;
  const theme = {...unasked, asked: callsInPanel(parts.panel)};
  const latest = useRef<Latest>({theme, shares});
  useLayoutEffect(() => {
    latest.current = {theme, shares};
  });
  const [startCard] = useState(createStartCards);
  const {projection, finish} = useFeed(store, {
    shown: () => shownSession(store.getSnapshot(), startCard),
    limits: () => limitsNow(latest.current, store.getSnapshot()),
    isLinear: capabilities.isLinear,
    fullTranscriptKey: () => keyFor('open_transcript', store.getSnapshot().keymap),
    isHeld,
    isAway,
    isTailOnly,
    print: (pieces) => {
      const unasked = {...themeNow(latest.current, store.getSnapshot()), asked: undefined};
      print(pieces.flatMap((placed) => rowsOfPlaced(placed, unasked)));
    },
  });
  useLayoutEffect(() => report?.(linearFrame(parts, theme)));
  useKeys(press);
  useReports(store, parts.panel, {columns: screen.columns, onFrameSent: props.onFrameSent});
  const [panelBox, setPanelBox] = useState<DOMElement | null>(null);
  const coverBox = useRef<DOMElement>(null);
  useHandle(handle, {coverBox, finish});
  return (
    <ThemeProvider theme={theme}>
      <Box flexDirection="column">
        <LivePart live={projection.live} rows={shares.live} />
        <BelowTranscript
          parts={parts}
          screen={screen}
          capabilities={capabilities}
          panelBox={panelBox}
          setPanelBox={setPanelBox}
          coverBox={coverBox}
        />
      </Box>
    </ThemeProvider>
  );
}
