import {render} from 'ink';
import {createRef, type RefObject} from 'react';
import {takeStep, type Effect, type EffectOf, type ScreenEffect, type Step} from '../src/app/effects.ts';
import type {AppEvent} from '../src/app/events.ts';
import type {KeyEvent} from '../src/app/input/keys.ts';
import type {AppState} from '../src/app/state.ts';
import type {Store} from '../src/shared/store.ts';
import {isScrollable} from '../src/app/pages/viewer.ts';
import {createStillStore} from './still-store.ts';
import {App, type AppHandle} from './app.tsx';
import {createEditorScreen, type Editor} from './viewer/editor-screen.ts';
import {followFullScreen, type FollowedScreen} from './viewer/follow-full-screen.ts';
import {openFullScreen, type FullScreen} from './viewer/full-screen.tsx';
import type {TerminalCapabilities} from './terminal/capabilities.ts';
import {clipboardSequence} from '../src/text/ansi.ts';
import {createLinearOutput} from './linear/linear-output.ts';
import {createHandover} from './terminal/handover.ts';
import type {Above} from './terminal/frames.ts';
import {createGatedOutput, type GatedOutput, type TerminalOutput} from './terminal/output.ts';
import {createPainter, type Painter} from './terminal/painter.ts';
import {createScrollback, type Scrollback} from './terminal/scrollback.ts';

export interface InlineOptions {
  readonly store: Store<AppState, AppEvent>;
  /** What a key leads to. */
  readonly handleKey: (state: AppState, key: KeyEvent) => Step;
  /** Does what the window wants done, but for what concerns the terminal. */
  readonly perform: (effect: Effect) => void;
  readonly capabilities: TerminalCapabilities;
  readonly terminal: TerminalOutput;
  /** What the terminal sends, one key or paste a read. */
  readonly input: NodeJS.ReadStream;
  /** Stops this process until the user brings it back; the terminal is as it was meanwhile. */
  readonly stop: () => Promise<void>;
  readonly editor: Editor;
  /** Settled when what draws markdown is loaded. */
  readonly ready: Promise<unknown>;
  /** True while the terminal may still say what its background is: what is printed for good has colors for that. */
  readonly isBackgroundOpen?: () => boolean;
}

interface InlineScreen {
  /** To be called when the terminal has another size. */
  readonly resized: () => void;
  /** Gives the terminal to `work` until that is done; does nothing where something else has it. */
  readonly lend: (work: () => Promise<void>) => Promise<void>;
  /** Leaves the conversation on the screen, and nothing else; what has the terminal must have been ended. */
  readonly unmount: () => Promise<void>;
  /** Resolves when everything that is to be drawn was written. */
  readonly flushed: () => Promise<void>;
}

const HOW_INK_DRAWS = {
  exitOnCtrlC: false,
  patchConsole: false,
  interactive: true,
  incrementalRendering: true,
  // The store sets the pace; what Ink would hold back is mostly the echo of a key.
  maxFps: 240,
} as const;

/** Draws the window inline, on any terminal. */
export function drawInline(options: InlineOptions): InlineScreen {
  const {capabilities, ready, input, isBackgroundOpen} = options;
  const handle = createRef<AppHandle>();
  const scrollback = createScrollback(capabilities.reflows);
  const {output, report} = createOutput(options, {
    scrollback,
    panelRows: () => handle.current?.panelRows() ?? 0,
    forget: () => ink.clear(),
  });
  const painter = createPainter({
    output,
    reflows: capabilities.reflows,
    lineWidths: () => handle.current?.lineWidths() ?? [],
    scrollback,
  });
  const shared = shareTerminal(options, {handle, output, painter, scrollback});
  const {still: store, isAway, isTailOnly, press} = shared;
  /** False while the first frame is drawn, which comes after the transcript of a resumed session. */
  let isDrawn = false;
  const isHeld = () => !isDrawn || painter.isBusy() || isBackgroundOpen?.() === true;
  // Below the full screen, the first frame is not seen.
  if (isScrollable(store.latest()) && !capabilities.isLinear) output.close();
  const away = {isHeld, isAway, isTailOnly};
  const app = {store, ...away, capabilities, press, print: output.print, report, handle, ready};
  const ink = render(<App {...app} />, {
    stdin: input,
    stdout: output.stream,
    ...HOW_INK_DRAWS,
  });
  isDrawn = true;
  const {resized, lend, leave} = shared.follow();
  return {
    resized,
    lend,
    async unmount() {
      await leave();
      painter.finish();
      handle.current?.finish();
      await ink.waitUntilRenderFlush();
      output.uncover();
      ink.unmount();
    },
    flushed: ink.waitUntilRenderFlush,
  };
}

interface InlineParts {
  readonly handle: RefObject<AppHandle | null>;
  readonly output: GatedOutput;
  readonly painter: Painter;
  readonly scrollback: Scrollback;
}

/** Who draws on the terminal and reads its keys: the inline screen, the full screen over it, or another program. */
function shareTerminal(options: InlineOptions, {handle, output, painter, scrollback}: InlineParts) {
  const {store, handleKey} = options;
  let isTailOnly = false;
  let full: FollowedScreen | undefined;
  const {giveAway, isAway, back} = createHandover({
    before() {
      isTailOnly = store.latest().screen === 'full';
      painter.finish();
      output.uncover();
    },
    suspend: (work) => handle.current?.suspend(work),
    after() {
      // First of all: what is printed while nothing of it reaches the terminal would be lost.
      painter.resized();
      still.resume();
    },
  });
  const still = createStillStore(store, isAway);
  /** The same for what draws on the screen that there is. */
  const lend = (work: () => Promise<void>) => {
    const run = () => work().finally(scrollback.forget);
    return full?.current()?.lend(run) ?? giveAway(run);
  };
  const editor = createEditorScreen({store, editor: options.editor, giveAway: lend});
  const own: ScreenHandlers = {
    suspend: () => void lend(options.stop),
    open_editor: editor.open,
    redraw: () => (full?.current()?.redraw ?? painter.repaint)(),
  };
  function press(key: KeyEvent): void {
    takeStep(handleKey(store.latest(), key), store, (effect) => perform(effect, own, options));
  }

  return {
    still,
    isAway,
    isTailOnly: () => isTailOnly,
    press,
    /** Opens the full screen whenever the state asks for it. */
    follow() {
      const isWanted = (state: AppState) => isFullWanted(state, options.capabilities);
      const openNow = () => openFull(options, press);
      const giveWhenBack = async (work: () => Promise<void>) => {
        await back();
        await giveAway(work);
      };
      const followed = followFullScreen({store, isWanted, open: openNow, giveAway: giveWhenBack});
      full = followed;
      return {
        resized: () => (followed.current() ?? painter).resized(),
        lend,
        leave: async () => {
          await editor.leave();
          await followed.leave();
          await back();
        },
      };
    },
  };
}

type ScreenHandlers = {readonly [Kind in ScreenEffect['kind']]: (effect: EffectOf<Kind>) => void};

/** Does what only the screen can; the rest is handed on. */
function perform(effect: Effect, own: ScreenHandlers, options: InlineOptions): void {
  if (effect.kind in own) return (own as Record<string, (effect: Effect) => void>)[effect.kind]?.(effect);
  // The terminal's clipboard is the only one that is reached over SSH; whether it takes the text it does not say.
  if (effect.kind === 'copy') options.terminal.write(clipboardSequence(effect.text) ?? '');
  options.perform(effect);
}

/** The output, and what takes the frames where Ink cannot draw them. */
function createOutput({terminal, capabilities}: InlineOptions, above: Above) {
  const where = {terminal, charset: capabilities.charset};
  const output = createGatedOutput({...where, above});
  if (!capabilities.isLinear) return {output};
  const linear = createLinearOutput(where, output);
  return {output: linear, report: linear.show};
}

/** True if the alternate screen is asked for; where there is none, a review is read line by line. */
function isFullWanted(state: AppState, {isLinear}: TerminalCapabilities): boolean {
  return isScrollable(state) || (!isLinear && state.overlay.kind === 'review');
}

function openFull(options: InlineOptions, press: (key: KeyEvent) => void): FullScreen {
  const {store, capabilities, terminal, input, ready} = options;
  if (!capabilities.isLinear) return openFullScreen({store, capabilities, press, terminal, input, ready});
  // The transcript is printed above, and there is no other screen.
  setImmediate(() => store.dispatch({type: 'screen_changed', screen: 'inline'}, 'urgent'));
  return {resized: noop, redraw: noop, lend: async () => undefined, close: async () => undefined};
}

function noop(): void {}
