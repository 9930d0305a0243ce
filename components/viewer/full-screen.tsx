import {Box, render, useApp, useWindowSize, type DOMElement} from 'ink';
import {createRef, useImperativeHandle, useState, type Ref} from 'react';
import type {AppEvent} from '../../src/app/events.ts';
import type {KeyEvent} from '../../src/app/input/keys.ts';
import {activeSession} from '../../src/app/sessions.ts';
import {needsTicks} from '../../src/app/status/notifications.ts';
import type {AppState} from '../../src/app/state.ts';
import {isAsking} from '../../src/session/selectors.ts';
import type {Store} from '../../src/shared/store.ts';
import {BelowTranscript} from '../below-transcript.tsx';
import {useClock, useDraw, useKeys, useReports, useStore} from '../hooks.ts';
import {drawScreen} from '../layout.ts';
import {shownToolCall} from '../panels/panel.ts';
import {Lines} from '../rendered-lines.tsx';
import type {TerminalCapabilities} from '../terminal/capabilities.ts';
import {createHandover} from '../terminal/handover.ts';
import {createGatedOutput, type TerminalOutput} from '../terminal/output.ts';
import {ReviewScreen} from '../review/review-screen.tsx';
import {useTranscript} from './use-transcript.ts';

interface FullScreenProps {
  readonly store: Store<AppState, AppEvent>;
  readonly capabilities: TerminalCapabilities;
  readonly press: (key: KeyEvent) => void;
  /** Settled when the Markdown renderer is loaded. */
  readonly ready: Promise<unknown>;
  readonly handle?: Ref<FullScreenHandle>;
}

interface FullScreenHandle {
  /** Releases the terminal while the callback runs. */
  readonly suspend: (callback: () => Promise<void>) => Promise<void>;
}

/** The content of the alternate screen: a review, or the window. */
function FullScreenContent({handle, ...props}: FullScreenProps) {
  const overlay = useStore(props.store, (state) => state.overlay);
  const {suspendTerminal} = useApp();
  useImperativeHandle(handle, () => ({suspend: async (run) => suspendTerminal(run)}), [suspendTerminal]);
  return overlay.kind === 'review' ? (
    <ReviewScreen {...props} view={overlay} />
  ) : (
    <FullScreenView {...props} />
  );
}

/** The window on the alternate screen: a scrollable transcript, and below it the same as inline. */
function FullScreenView({store, capabilities, press, ready}: Omit<FullScreenProps, 'handle'>) {
  const state = useStore(store, (state) => state);
  const screen = useWindowSize();
  const {session} = activeSession(state);
  const draw = useDraw({session, look: state, keymap: state.keymap, columns: screen.columns, capabilities});
  const now = useClock(needsTicks(state));
  const parts = drawScreen(state, {screen, now, draw});
  const {overlay} = state;
  // A stored session or a subagent has no prompt.
  const isAlone = overlay.kind === 'transcript' && (overlay.read ?? overlay.subagent) !== undefined;
  const transcript = useTranscript(state, {
    store,
    draw,
    room: isAlone ? Math.max(1, screen.rows - 2) : parts.shares.live,
    asked: shownToolCall(parts.panel),
    ready,
  });
  const [panelBox, setPanelBox] = useState<DOMElement | null>(null);
  useKeys(press);
  useReports(store, parts.panel, screen.columns);
  return (
    <Box flexDirection="column">
      <Lines lines={transcript.lines} />
      {isAlone ? (
        <Lines lines={transcript.foot === undefined ? [] : [transcript.foot]} />
      ) : (
        <BelowTranscript
          parts={{...parts, status: transcript.foot ?? parts.status}}
          screen={screen}
          draw={draw}
          isAnimated={capabilities.animations && !isAsking(session)}
          panelBox={panelBox}
          setPanelBox={setPanelBox}
        />
      )}
    </Box>
  );
}

interface FullScreenOptions extends Omit<FullScreenProps, 'handle'> {
  readonly terminal: TerminalOutput;
  readonly input: NodeJS.ReadStream;
}

export interface FullScreen {
  /** Call it when the terminal is resized. */
  readonly resized: () => void;
  /** Lends the terminal to `work`; ignored while something else uses it. */
  readonly lend: (work: () => Promise<void>) => Promise<void>;
  /** Redraws everything. */
  readonly redraw: () => void;
  /** Leaves the alternate screen; resolves when the terminal is restored. */
  readonly close: () => Promise<void>;
}

/** Draws the window on the terminal's alternate screen. Nothing else may draw or read keys meanwhile. */
export function openFullScreen({terminal, input, ...props}: FullScreenOptions): FullScreen {
  const handle = createRef<FullScreenHandle>();
  const output = createGatedOutput({terminal, charset: props.capabilities.charset});
  // Ink starts raw mode after drawing, and ends it before the inline screen starts it: the terminal would echo keys in between.
  const holdKeyboard = () => input.setRawMode(true);
  holdKeyboard();
  const ink = render(<FullScreenContent {...props} handle={handle} />, {
    stdin: input,
    stdout: output.stream,
    alternateScreen: true,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    incrementalRendering: true,
    maxFps: 240,
  });
  const {giveAway, back} = createHandover({
    before: () => undefined,
    suspend: (work) => handle.current?.suspend(work),
    after: output.settle,
  });
  return {
    resized: output.settle,
    lend: giveAway,
    redraw: () => void giveAway(async () => undefined),
    async close() {
      await back();
      ink.unmount();
      holdKeyboard();
      await ink.waitUntilExit();
    },
  };
}
