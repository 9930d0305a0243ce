import {Box, render, useApp, useWindowSize} from 'ink';
import {createRef, useImperativeHandle, useLayoutEffect, useSyncExternalStore, type Ref} from 'react';
import type {Reaction} from '../../src/app/effects.ts';
import type {AppState} from '../../src/app/state.ts';
import {isScrollable} from '../../src/app/pages/viewer.ts';
import {needsTicks} from '../../src/app/status/notifications.ts';
import {ThemeContext} from '../theme/theme.tsx';
import {CaretContext} from '../prompt/use-caret.ts';
import {createPointer, type Pointer} from './pointer.ts';
import {markSelected} from './selection.ts';
import {SidePanel, sidePanelOf} from './side-panel.tsx';
import {Tabs, tabsOf} from './tabs.tsx';
import {BelowTranscript} from '../below-transcript.tsx';
import {type ScreenProps, useClock, useThemeOf, useScreen, useStore} from '../hooks.ts';
import {layOutScreen} from '../layout.ts';
import {callsInPanel} from '../panels/panel.ts';
import {Rows} from '../layout/rows.tsx';
import {createHandover} from '../terminal/handover.ts';
import type {ScreenModes} from '../terminal/integrations.ts';
import type {WindowHandle} from '../use-window.ts';
import {createGatedOutput, howInkDraws, type TerminalOutput} from '../terminal/output.ts';
import {ReviewScreen} from '../review/review.tsx';
import {Foot} from './foot.tsx';
import {useTranscript} from './use-transcript.ts';

interface FullScreenProps extends ScreenProps {
  readonly pointer: Pointer;
  readonly handle: Ref<FullScreenHandle>;
}

type FullScreenHandle = Pick<WindowHandle, 'suspend'>;

/** The content of the alternate screen: a review, or the window. */
function FullScreenContent({handle, pointer, ...props}: FullScreenProps) {
  const overlay = useStore(props.store, (state) => state.overlay);
  const {suspendTerminal} = useApp();
  useImperativeHandle(handle, () => ({suspend: async (run) => suspendTerminal(run)}), [suspendTerminal]);
  return overlay.kind === 'review' ? (
    <ReviewScreen {...props} view={overlay} />
  ) : (
    <FullScreenView {...props} pointer={pointer} />
  );
}

/** The window on the alternate screen: a scrollable transcript, and below it the same as inline. */
function FullScreenView({pointer, ...props}: Omit<FullScreenProps, 'handle'>) {
  const {store, capabilities} = props;
  const state = useStore(store, (state) => state);
  const screen = useWindowSize();
  const theme = useThemeOf(state, screen.columns, capabilities);
  const now = useClock(needsTicks(state));
  const {overlay} = state;
  // A stored session or a subagent has no prompt.
  const isAlone = overlay.kind === 'transcript' && (overlay.read ?? overlay.subagent) !== undefined;
  const side = state.sidePanel && !isAlone ? sidePanelOf(state, theme) : {rows: [], columns: screen.columns};
  const parts = layOutScreen(state, {screen, now, theme, hasSidePanel: side.rows.length > 0});
  const live = isAlone ? Math.max(1, screen.rows - 2) : parts.shares.live;
  const tabs = live > MIN_LIVE_BELOW_TABS ? tabsOf(state, theme) : [];
  const top = tabs.length > 0 ? 1 : 0;
  const room = live - top;
  const body = {...theme, columns: side.columns};
  const asked = callsInPanel(parts.panel);
  const transcript = useTranscript(state, {
    store,
    theme: {...body, asked, clock: performance.timeOrigin + now},
    room,
  });
  const selection = useSyncExternalStore(pointer.subscribe, pointer.selection);
  const marked = transcript.lines.map((line, row) =>
    selection ? markSelected(line, row, selection, theme) : line,
  );
  const {panel, shares} = parts;
  const panelTop = top + room + shares.plan + shares.gap;
  const between = shares.air + shares.queue + shares.hint + shares.working;
  const {foot} = transcript;
  useLayoutEffect(() =>
    pointer.drawn({
      ...transcript,
      tabs,
      top,
      room,
      columns: side.columns,
      panelTop,
      panel,
      promptTop: panelTop + panel.height + between,
    }),
  );
  useScreen(props, panel);
  return (
    <ThemeContext value={theme}>
      <Box flexDirection="column">
        <Tabs tabs={tabs} />
        <Box flexShrink={0}>
          <Box width={side.columns} flexShrink={0}>
            <Rows of={marked} />
          </Box>
          {side.rows.length > 0 && <SidePanel rows={side.rows} beside={marked} />}
        </Box>
        {!isAlone && (
          <BelowTranscript parts={parts} screen={screen} capabilities={capabilities} foot={foot} />
        )}
        {isAlone && foot && <Foot foot={foot} isBelowPrompt={false} />}
      </Box>
    </ThemeContext>
  );
}

const MIN_LIVE_BELOW_TABS = 5;

interface FullScreenOptions extends Omit<ScreenProps, 'onFrameSent'> {
  readonly take: (reaction: Reaction) => void;
  /** Terminal modes of the alternate screen in addition to those that Ink sets. */
  readonly modes?: ScreenModes;
  readonly terminal: TerminalOutput;
  readonly input: NodeJS.ReadStream;
}

/** Draws the window on the terminal's alternate screen. Nothing else may draw or read keys meanwhile. */
function openFullScreen({terminal, input, take, modes, ...props}: FullScreenOptions) {
  const handle = createRef<FullScreenHandle>();
  const output = createGatedOutput({terminal, modes, charset: props.capabilities.charset});
  const pointer = createPointer({store: props.store, press: props.press, take});
  const {onFrameSent, setCaret} = output;
  const content = (
    <FullScreenContent {...props} pointer={pointer} onFrameSent={onFrameSent} handle={handle} />
  );
  const ink = render(<CaretContext value={setCaret}>{content}</CaretContext>, {
    stdin: input,
    alternateScreen: true,
    ...howInkDraws(output),
  });
  const {lendTerminal, back} = createHandover({
    before: () => undefined,
    suspend: (work) => handle.current?.suspend(work),
    after: output.settle,
  });
  return {
    point: pointer.point,
    /** Call it when the terminal is resized. */
    resized: output.settle,
    /** Lends the terminal to `work`; ignored while something else uses it. */
    lend: lendTerminal,
    /** Redraws everything. */
    redraw: () => void lendTerminal(async () => undefined),
    /** Leaves the alternate screen; resolves when the terminal is restored. */
    close: async () => {
      await back();
      ink.unmount();
      await ink.waitUntilExit();
    },
  };
}

/** True if the alternate screen is needed; linear output has none, and prints a review line by line. */
function isFullWanted(state: AppState, {isLinear}: ScreenProps['capabilities']): boolean {
  return !isLinear && (isScrollable(state) || state.overlay.kind === 'review');
}

interface FollowOptions extends FullScreenOptions {
  /** Lends the terminal to `work`, as soon as nothing else uses it. */
  readonly lendTerminal: (work: () => Promise<void>) => Promise<void>;
}

export type FollowedScreen = ReturnType<typeof followFullScreen>;

/** Opens the full screen over the inline one while the state asks for it. */
export function followFullScreen({lendTerminal, ...options}: FollowOptions) {
  const {store, capabilities} = options;
  let current: ReturnType<typeof openFullScreen> | undefined;
  let handover: Promise<void> | undefined;
  let isLeaving = false;
  let closing: (() => void) | undefined;
  const isOpen = () => !isLeaving && isFullWanted(store.getSnapshot(), capabilities);

  async function show(): Promise<void> {
    if (!isOpen()) return;
    const closed = new Promise<void>((resolve) => (closing = resolve));
    current = openFullScreen(options);
    await closed;
    closing = undefined;
    await current.close();
    current = undefined;
  }

  function follow(): void {
    if (!isOpen()) return closing?.();
    // The first drawing reports to the store, which calls this function again.
    handover ??= Promise.resolve()
      .then(() => lendTerminal(show))
      .then(() => {
        handover = undefined;
        follow();
      });
  }

  const stopFollowing = store.subscribe(follow);
  follow();
  return {
    /** The open full screen, if any. */
    current: () => current,
    /** Closes it permanently; resolves when the terminal is returned. */
    leave: async () => {
      stopFollowing();
      isLeaving = true;
      follow();
      await handover;
    },
  };
}
