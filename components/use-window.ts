import {useApp, useWindowSize} from 'ink';
import {useImperativeHandle, useLayoutEffect, useRef, useState, type Ref} from 'react';
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
import type {Theme} from './theme/theme.tsx';
import {callsInPanel} from './panels/panel.ts';
import {type RowAllocation, layOutScreen} from './layout.ts';
import type {TerminalCapabilities} from './terminal/capabilities.ts';
import type {OnFrameSent} from './terminal/sent-frames.ts';
import {isShownElsewhere, rowsOfChunk, lacksNothing} from './chunks/chunk-rows.ts';
import {useFeed} from './inline/feed.ts';
import type {PlacedChunk} from './chunks/chunks.ts';
import type {ProjectionLimits} from './inline/projector.ts';
import {useClock, useThemeOf, useStore, useKeys, useReports} from './hooks.ts';

export interface WindowProps {
  readonly store: Store<AppState, AppEvent>;
  readonly capabilities: TerminalCapabilities;
  /** Handles every key and paste. */
  readonly press: (key: KeyEvent) => void;
  /** Prints lines above the frame, which is then redrawn below them. */
  readonly print: (lines: readonly string[]) => void;
  readonly onFrameSent: OnFrameSent;
  /** True while the terminal's content differs from what Ink assumes. */
  readonly isHeld: () => boolean;
  /** True while another screen or program uses the terminal. */
  readonly isAway: () => boolean;
  /** True while the full screen uses the terminal. */
  readonly isTailOnly: () => boolean;
  /** Rows of printed lines above the frame. */
  readonly rowsAbove: () => number;
  /** Functions of the drawn window for its parent. */
  readonly handle?: Ref<WindowHandle>;
}

export interface WindowHandle {
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

interface WindowKind {
  /** Returns the rows of a finished chunk as they are printed. */
  readonly rowsOf: (placed: PlacedChunk, theme: Theme) => readonly string[];
  /** True if nothing is redrawn. */
  readonly isLinear: boolean;
  /** See `WindowHandle.panelRows`. */
  readonly panelRows: () => number;
}

/** Follows the state of a window, prints what is finished, handles keys, and returns what is to be shown below that. */
export function useWindow(props: WindowProps, {rowsOf, isLinear, panelRows}: WindowKind) {
  const {store, capabilities, press, isHeld, isAway, isTailOnly, print, onFrameSent, rowsAbove} = props;
  const state = useStore(store, (state) => state);
  const screen = useWindowSize();
  const {columns} = screen;
  const unasked = useThemeOf(state, columns, capabilities);
  const now = useClock(needsTicks(state));
  const parts = layOutScreen(state, {screen, now, theme: unasked, above: rowsAbove(), isLinear});
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
    isLinear,
    fullTranscriptKey: () => keyFor('open_transcript', store.getSnapshot().keymap),
    isHeld,
    isAway,
    isTailOnly,
    print: (pieces) => {
      const unasked = {...themeNow(latest.current, store.getSnapshot()), asked: undefined};
      print(pieces.flatMap((placed) => rowsOf(placed, unasked)));
    },
  });
  useKeys(press);
  useReports(store, parts.panel, {columns, onFrameSent});
  const {suspendTerminal} = useApp();
  useImperativeHandle(
    props.handle,
    () => ({suspend: async (callback) => suspendTerminal(callback), finish, panelRows}),
    // Stable references: otherwise React would detach the handle while a frame is drawn.
    [suspendTerminal, finish, panelRows],
  );
  return {state, screen, parts, theme, live: projection.live};
}
