import {measureElement, useApp, useWindowSize, type DOMElement} from 'ink';
import {useImperativeHandle, useLayoutEffect, useRef, useState, type Ref} from 'react';
import {needsTicks} from '../src/app/status/notifications.ts';
import {activeSession} from '../src/app/sessions.ts';
import {createStartCards} from '../src/app/status/start-card.ts';
import {keyFor} from '../src/app/keymap/key-names.ts';
import {agentName} from '../src/app/status/status-line.ts';
import {sessionTitle} from '../src/session/titles.ts';
import type {Theme} from './theme/theme.tsx';
import {callsInPanel} from './panels/panel.ts';
import {layOutScreen} from './layout.ts';
import {isShownElsewhere, rowsOfChunk, lacksNothing} from './chunks/chunk-rows.ts';
import {type PrintingGates, useFeed} from './inline/feed.ts';
import type {PlacedChunk} from './chunks/chunks.ts';
import {type ScreenProps, useClock, useThemeOf, useStore, useScreen} from './hooks.ts';

export interface WindowProps extends ScreenProps, PrintingGates {
  /** Prints lines above the frame, which is then redrawn below them. */
  readonly print: (lines: readonly string[]) => void;
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

/** Follows the state of a window, prints the rows of what is finished, handles keys, and returns what is to be shown below that. */
export function useWindow(
  {handle, print, rowsAbove, ...props}: WindowProps,
  rowsOf: (placed: PlacedChunk, theme: Theme) => readonly string[],
) {
  const {store, capabilities} = props;
  const state = useStore(store, (state) => state);
  const screen = useWindowSize();
  const unasked = useThemeOf(state, screen.columns, capabilities);
  const now = useClock(needsTicks(state));
  const parts = layOutScreen(state, {screen, now, theme: unasked, above: rowsAbove()});
  const clock = capabilities.isLinear ? undefined : performance.timeOrigin + now;
  const theme = {...unasked, asked: callsInPanel(parts.panel), clock};
  const latest = useRef({theme, shares: parts.shares});
  useLayoutEffect(() => {
    latest.current = {theme, shares: parts.shares};
  });
  /** The theme for the session's current chunks, which may be newer than the last frame. */
  const themeNow = (): Theme => {
    const {cwd, terminals, subagents} = activeSession(store.getSnapshot()).session;
    return {...latest.current.theme, cwd, terminals, subagents};
  };
  const [startCard] = useState(createStartCards);
  const {projection, finish} = useFeed(store, {
    ...props,
    shown: () => {
      const tab = activeSession(store.getSnapshot());
      const title = sessionTitle(tab.session) ?? agentName(tab);
      return {key: tab.key, session: tab.session, title, start: startCard(store.getSnapshot())};
    },
    limits: () => {
      const theme = themeNow();
      const {live, panel} = latest.current.shares;
      return {
        heightOf: (chunk) => rowsOfChunk(chunk, theme).length,
        liveRows: live,
        pageRows: live + panel,
        isAsked: (chunk) => isShownElsewhere(chunk, theme),
        canPrint: (chunk) => lacksNothing(chunk, theme),
      };
    },
    isLinear: capabilities.isLinear,
    fullTranscriptKey: () => keyFor('open_transcript', store.getSnapshot().keymap),
    print: (pieces) => {
      const theme = {...themeNow(), asked: undefined, clock: undefined};
      print(pieces.flatMap((placed) => rowsOf(placed, theme)));
    },
  });
  useScreen(props, parts.panel);
  const coverBox = useRef<DOMElement>(null);
  const {suspendTerminal} = useApp();
  useImperativeHandle(
    handle,
    () => ({
      suspend: async (callback) => suspendTerminal(callback),
      finish,
      panelRows: () => (coverBox.current ? measureElement(coverBox.current).height : 0),
    }),
    // Stable references: otherwise React would detach the handle while a frame is drawn.
    [suspendTerminal, finish],
  );
  return {state, screen, parts, theme, live: projection.live, coverBox};
}
