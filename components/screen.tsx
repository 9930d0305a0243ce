import {render} from 'ink';
import {createRef, type RefObject} from 'react';
import {
  applyReaction,
  type Effect,
  type EffectOf,
  type ScreenEffect,
  type Reaction,
} from '../src/app/effects.ts';
import type {AppEvent} from '../src/app/events.ts';
import {releasedKey} from '../src/app/handlers/index.ts';
import type {KeyEvent} from '../src/app/input/keys.ts';
import type {AppState} from '../src/app/state.ts';
import {createListeners, type Store} from '../src/shared/store.ts';
import {isScrollable} from '../src/app/pages/viewer.ts';
import {InlineWindow} from './inline/inline-window.tsx';
import {CaretContext} from './prompt/use-caret.ts';
import type {WindowHandle} from './use-window.ts';
import {LinearWindow} from './linear/linear-window.tsx';
import {createEditorScreen, type Editor} from './viewer/editor-screen.ts';
import type {MouseEvent} from '../src/app/input/mouse.ts';
import {type FollowedScreen, followFullScreen} from './viewer/full-screen.tsx';
import type {ScreenModes} from './terminal/integrations.ts';
import type {TerminalCapabilities} from './terminal/capabilities.ts';
import {clipboardSequence} from '../src/text/ansi.ts';
import {createLinearOutput} from './linear/linear-output.ts';
import {createHandover} from './terminal/handover.ts';
import {
  type RowsAbove,
  createGatedOutput,
  type GatedOutput,
  howInkDraws,
  type TerminalOutput,
} from './terminal/output.ts';
import {createScreenRepair, type ScreenRepair} from './terminal/painter.ts';
import {createScrollback, type Scrollback} from './terminal/scrollback.ts';

export interface InlineOptions {
  readonly store: Store<AppState, AppEvent>;
  /** Returns the reaction to a key. */
  readonly handleKey: (state: AppState, key: KeyEvent) => Reaction;
  /** Runs an effect of the window, except those of the terminal. */
  readonly perform: (effect: Effect) => void;
  readonly capabilities: TerminalCapabilities;
  readonly terminal: TerminalOutput;
  /** Terminal input, one key or paste per read. */
  readonly input: NodeJS.ReadStream;
  /** Suspends this process until the user resumes it, with the terminal restored meanwhile. */
  readonly stop: () => Promise<void>;
  readonly editor: Editor;
  /** True while the terminal may still report its background color, which printed output needs. */
  readonly isBackgroundOpen?: () => boolean;
  /** See `openFullScreen`. */
  readonly modes?: ScreenModes;
}

/** Draws the window inline, on any terminal. */
export function openInline(options: InlineOptions) {
  const {capabilities, input, terminal, isBackgroundOpen} = options;
  const handle = createRef<WindowHandle>();
  const scrollback = createScrollback(capabilities.reflows);
  const {output, report} = createOutput(options, {
    scrollback,
    panelRows: () => handle.current?.panelRows() ?? 0,
  });
  const painter = createScreenRepair({
    output,
    terminal,
    ask: capabilities.isLinear ? undefined : (query) => terminal.write(query),
    reflows: capabilities.reflows,
    scrollback,
  });
  const {store, press, gates, follow} = shareTerminal(options, {handle, output, painter, scrollback});
  /** False while the first frame is drawn, which comes after the transcript of a resumed session. */
  let isDrawn = false;
  const isHeld = () => !isDrawn || painter.isBusy() || isBackgroundOpen?.() === true;
  if (capabilities.isLinear) closeTranscript(options.store);
  // The first frame is invisible below the full screen.
  else if (isScrollable(store.latest())) output.close();
  const app = {
    store,
    ...gates,
    isHeld,
    capabilities,
    press,
    print: output.print,
    onFrameSent: output.onFrameSent,
    rowsAbove: () => scrollback.heights().above,
    handle,
  };
  const content = report ? <LinearWindow {...app} report={report} /> : <InlineWindow {...app} />;
  const ink = render(<CaretContext value={output.setCaret}>{content}</CaretContext>, {
    stdin: input,
    ...howInkDraws(output),
  });
  isDrawn = true;
  const {leave, ...shared} = follow();
  return {
    ...shared,
    /** Handles reports of the terminal. */
    handleReport: painter.handleReport,
    /** Unmounts, leaving only the conversation on the screen; anything else that uses the terminal must have ended. */
    unmount: async () => {
      await leave();
      painter.layOut();
      await ink.waitUntilRenderFlush();
      painter.finish();
      handle.current?.finish();
      await ink.waitUntilRenderFlush();
      output.uncover();
      // Ink draws its last frame again.
      output.close();
      ink.unmount();
    },
    /** Resolves when all pending frames are written. */
    flushed: async () => {
      await ink.waitUntilRenderFlush();
      output.flush();
    },
  };
}

interface InlineParts {
  readonly handle: RefObject<WindowHandle | null>;
  readonly output: GatedOutput;
  readonly painter: ScreenRepair;
  readonly scrollback: Scrollback;
}

/** Manages which of the inline screen, the full screen and other programs draws on the terminal and reads its keys. */
function shareTerminal(options: InlineOptions, {handle, output, painter, scrollback}: InlineParts) {
  const {store} = options;
  let isTailOnly = false;
  let full: FollowedScreen | undefined;
  const {lendTerminal, isAway, back} = createHandover({
    before() {
      isTailOnly = store.latest().screen === 'full';
      painter.finish();
      output.uncover();
    },
    suspend: (work) =>
      handle.current?.suspend(() => work().finally(() => discardOldFrame(output, options.terminal))),
    after() {
      // First, since output would be lost while nothing is written to the terminal.
      painter.resized();
      still.resume();
    },
  });
  const still = createPausedStore(store, isAway);
  /** Lends the terminal, whichever screen is drawn now. */
  const lend = (work: () => Promise<void>) => {
    const run = () => work().finally(scrollback.forget);
    return full?.current()?.lend(run) ?? lendTerminal(run);
  };
  const editor = createEditorScreen({...options, lendTerminal: lend});
  const own: ScreenHandlers = {
    suspend: () => void lend(options.stop),
    open_editor: editor.open,
    redraw: () => (full?.current()?.redraw ?? painter.repaint)(),
  };
  const take = (step: Reaction) => applyReaction(step, store, (effect) => perform(effect, own, options));
  const press = createPress(options, take);

  return {
    store: still,
    press,
    gates: {isAway, isTailOnly: () => isTailOnly},
    /** Opens the full screen whenever the state asks for it. */
    follow: () => {
      const followed = followFullScreen({
        ...options,
        press,
        take,
        lendTerminal: (work) => back().then(() => lendTerminal(work)),
      });
      full = followed;
      return {
        /** Call it when the terminal is resized. */
        resized: () => (followed.current() ?? painter).resized(),
        /** Call it with each mouse event. */
        point: (event: MouseEvent) => followed.current()?.point(event),
        /** Lends the terminal to `work`; ignored while something else uses it. */
        lend,
        /** The same for what takes the terminal back from a shell that has used it unnoticed: what that has written stays. */
        reclaim: (work: () => Promise<void>) => {
          if (!isAway()) output.displaced();
          return lend(work);
        },
        leave: async () => {
          await editor.leave();
          await followed.leave();
          await back();
        },
      };
    },
  };
}

/** Ink draws its last frame when it gets the terminal back, also if that has another size now. */
function discardOldFrame(output: GatedOutput, {columns, rows}: TerminalOutput): void {
  if (columns !== output.stream.columns || rows !== output.stream.rows) output.close();
}

/** Returns what handles a key; those that have to wait are handled later, one after each event. */
function createPress({store, handleKey, capabilities}: InlineOptions, take: (reaction: Reaction) => void) {
  store.onEvent((_event, {heldKeys}) => {
    if (heldKeys.length > 0) queueMicrotask(() => take(releasedKey(store.latest())));
  });
  return (key: KeyEvent) => {
    take(handleKey(store.latest(), key));
    if (capabilities.isLinear) closeTranscript(store);
  };
}

type ScreenHandlers = {readonly [Kind in ScreenEffect['kind']]: (effect: EffectOf<Kind>) => void};

/** Runs effects of the screen; passes on all others. */
function perform(effect: Effect, own: ScreenHandlers, options: InlineOptions): void {
  if (effect.kind in own) return (own as Record<string, (effect: Effect) => void>)[effect.kind]?.(effect);
  if (effect.kind !== 'copy') return options.perform(effect);
  options.perform({...effect, terminal: sendToClipboard(effect.text, options)});
}

/** Sends a text to the terminal's clipboard, the only one that is reachable over SSH; the terminal does not report whether it accepts the text. */
function sendToClipboard(text: string, {terminal, capabilities}: InlineOptions) {
  if (capabilities.isLinear) return 'none';
  const sequence = clipboardSequence(text);
  if (sequence === undefined) return 'too_long';
  terminal.write(sequence);
  return 'sent';
}

/** Creates the output, and the receiver of frames if Ink cannot draw them. */
function createOutput({terminal, capabilities}: InlineOptions, above: RowsAbove) {
  const where = {terminal, charset: capabilities.charset};
  const output = createGatedOutput({...where, above});
  if (!capabilities.isLinear) return {output};
  const linear = createLinearOutput(where, output);
  return {output: linear, report: linear.show};
}

/** In linear output the transcript is printed above, and there is no other screen. */
function closeTranscript(store: InlineOptions['store']): void {
  if (isScrollable(store.latest())) store.dispatch({type: 'screen_changed', screen: 'inline'}, 'urgent');
}

/** Returns a store that does not notify its readers while they are not on the screen; `resume` notifies them of what they have missed. */
function createPausedStore<State, Event>(store: Store<State, Event>, isAway: () => boolean) {
  const {subscribe, notify: resume} = createListeners();
  let seen = store.getSnapshot();
  store.subscribe(() => {
    if (!isAway()) resume();
  });
  return {
    ...store,
    getSnapshot() {
      if (!isAway()) seen = store.getSnapshot();
      return seen;
    },
    subscribe,
    resume,
  };
}
