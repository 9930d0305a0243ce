import {once} from 'node:events';
import process from 'node:process';
import {Readable} from 'node:stream';
import {supportsColor} from 'chalk';
import {createInputFilter} from '../src/app/input/input-filter.ts';
import {mouseEventIn} from '../src/app/input/mouse.ts';
import {backgroundFrom, backgroundIn} from '../src/app/themes/background.ts';
import type {Hex} from '../src/text/color.ts';
import {sanitizeLine} from '../src/text/sanitize.ts';
import type {Editor} from './viewer/editor-screen.ts';
import {openInline, type InlineOptions} from './screen.tsx';
import {
  detectCapabilities,
  type TerminalCapabilities,
  type TerminalPreferences,
} from './terminal/capabilities.ts';
import {toAscii} from './theme/symbols.ts';
import {graphicsIn} from './terminal/graphics.ts';
import {BELL, createTerminalIntegrations, type TerminalIntegrations} from './terminal/integrations.ts';
import {terminalSignals} from './terminal/signals.ts';
import {restoreTerminal, TERMINAL_MODES} from './terminal/handover.ts';
import {activeSession} from '../src/app/sessions.ts';
import {startDrawing} from '../src/worker/background.ts';

const WAITING = 'Editing the draft in your editor. Save and close it to continue.';
const ERASE_LINE = '\r\x1b[2K';

export interface StartOptions extends Pick<InlineOptions, 'store' | 'handleKey' | 'perform' | 'editor'> {
  readonly preferences?: TerminalPreferences;
}

interface Heading {
  readonly text: string;
  readonly isTransient: boolean;
}

export type Screen = ReturnType<typeof start>;

/** Draws the window in the terminal until `unmount`. Standard input and output must be a terminal, and nothing else may write to them. */
export function start(options: StartOptions) {
  const {stdout} = process;
  const capabilities = detectCapabilities(
    process.env,
    supportsColor === false ? 0 : supportsColor.level,
    options.preferences,
  );
  const inCharset = capabilities.charset === 'ascii' ? toAscii : (data: string) => data;
  const integrations = createTerminalIntegrations(
    options.store,
    (data) => {
      if (!capabilities.isLinear || data === BELL) stdout.write(inCharset(data));
    },
    terminalSignals(process.env),
    ({key, text}) => key && options.perform({kind: 'call', key, action: 'notified', args: [text]}),
  );
  const leave = leaveFor(integrations);
  const background = followBackground(options.store, capabilities);
  const screen = openInline({
    ...options,
    capabilities,
    terminal: stdout,
    input: createInput(integrations, (sequence) => {
      integrations.handleReport(sequence);
      background.handleReport(sequence);
      takeGraphics(graphicsIn(sequence, stdout), options.store, (data) => stdout.write(data));
      screen.handleReport(sequence);
      const event = mouseEventIn(sequence);
      if (event) screen.point(event);
    }),
    stop: () => stopped(leave),
    editor: onTerminal(options.editor, leave, capabilities),
    isBackgroundOpen: background.isOpen,
    modes: integrations.modes,
  });
  startDrawingInTime(options.store);
  const stopFollowing = followTerminal(screen, leave);
  // All exits that can be caught run this.
  process.once('exit', integrations.leave);
  return {
    /** Lends the terminal to `run`, with a heading above its output; ignored while something else uses it. `run` resolves to how the program ended. */
    lend: ({text, isTransient}: Heading, run: () => Promise<'ended' | 'cut_off'>) =>
      screen.lend(async () => {
        leave();
        stdout.write(sanitizeLine(text) + (isTransient ? '' : '\r\n'));
        const how = await run();
        const isErased = isTransient && how === 'ended';
        if (!capabilities.isLinear)
          stdout.write(isErased ? TERMINAL_MODES + ERASE_LINE : restoreTerminal(how));
        else if (isTransient) stdout.write('\r\n');
      }),
    /** Resolves when the terminal is restored. */
    async unmount() {
      stopFollowing();
      process.off('exit', integrations.leave);
      await screen.unmount();
      leave();
    },
  };
}

/** Returns what gives the terminal to other programs. Ink's screens pass it on in raw mode: it would echo what is typed in between. */
function leaveFor(integrations: TerminalIntegrations): () => void {
  return () => {
    integrations.leave();
    process.stdin.setRawMode(false);
  };
}

/**
 * Follows the terminal's size, and takes the terminal back whenever this process is continued: stopped from outside, it could not give it back, and the shell
 * has used it meanwhile. Does nothing after Ctrl+Z, or while another program has it. Returns what ends that.
 */
function followTerminal(
  {resized, reclaim}: Pick<ReturnType<typeof openInline>, 'resized' | 'reclaim'>,
  leave: () => void,
): () => void {
  const continued = () => {
    void reclaim(async () => {
      leave();
      await readSize();
    });
  };
  process.stdout.on('resize', resized);
  if (process.platform !== 'win32') process.on('SIGCONT', continued);
  return () => {
    process.stdout.off('resize', resized);
    process.off('SIGCONT', continued);
  };
}

/** Suspends this process, like Ctrl+Z in a terminal that is not in raw mode; resolves when it is resumed. */
async function stopped(leave: () => void): Promise<void> {
  if (process.platform === 'win32') return;
  // A program that waits for the terminal may resume this process at once.
  const back = once(process, 'SIGCONT');
  leave();
  // The whole job, as the terminal does: a shell waits for its first process, such as `npm start`.
  process.kill(0, 'SIGTSTP');
  await back;
  await readSize();
}

/** A resize while it was stopped was reported to the shell only; at this signal, Node reads the size again. */
async function readSize(): Promise<void> {
  const isSizeRead = once(process, 'SIGWINCH');
  process.kill(process.pid, 'SIGWINCH');
  await isSizeRead;
}

/** Returns the editor with the terminal, which has the user's modes meanwhile. */
function onTerminal(editor: Editor, leave: () => void, {isLinear}: TerminalCapabilities): Editor {
  return {
    ...editor,
    async edit(text, file) {
      leave();
      // An editor with its own window leaves the terminal empty; others draw over it.
      process.stdout.write(WAITING);
      const outcome = await editor.edit(text, file);
      process.stdout.write(isLinear ? '\r\n' : ERASE_LINE);
      return outcome;
    },
  };
}

/** How long printed output waits for the terminal's background color, in milliseconds. */
const BACKGROUND_TIMEOUT = 150;

/** Queries the terminal's background color; until it answers, the environment decides. */
function followBackground(store: StartOptions['store'], {colors, isLinear}: TerminalCapabilities) {
  const until = performance.now() + (colors === 0 || isLinear ? 0 : BACKGROUND_TIMEOUT);
  let isFound = false;
  const find = (background: Hex | undefined) => {
    if (background === undefined) return;
    store.dispatch({type: 'changed', change: {background}}, 'urgent');
  };
  find(backgroundFrom(process.env));
  return {
    isOpen: () => !isFound && performance.now() < until,
    handleReport(sequence: string) {
      const background = backgroundIn(sequence);
      isFound ||= background !== undefined;
      find(background);
    },
  };
}

/** Notes which graphics protocol the terminal reports, or asks for more. */
function takeGraphics(
  graphics: ReturnType<typeof graphicsIn>,
  store: StartOptions['store'],
  write: (data: string) => void,
): void {
  if (graphics === undefined) return;
  if ('ask' in graphics) write(graphics.ask);
  else store.dispatch({type: 'changed', change: {graphics: graphics.found}}, 'urgent');
}

/** Starts the thread after the first frame of a resumed session, in a new one with its first entry: before there is text that needs it. */
function startDrawingInTime(store: StartOptions['store']): void {
  const isNeeded = () => activeSession(store.latest()).session.entries.length > 0;
  if (isNeeded()) return void setImmediate(startDrawing);
  const stop = store.subscribe(() => {
    if (!isNeeded()) return;
    stop();
    startDrawing();
  });
}

/** A line typed before raw mode ends with a line feed in place of Enter. */
function typedAhead(chunk: Buffer): Buffer {
  const text = chunk.toString('latin1');
  return /^[^\r\n\x1b]+\n$/.test(text) ? Buffer.from(`${text.slice(0, -1)}\r`, 'latin1') : chunk;
}

/** Returns standard input for Ink, after the input filter. */
function createInput({enter}: TerminalIntegrations, onReport: (sequence: string) => void): NodeJS.ReadStream {
  const {stdin} = process;
  const filter = createInputFilter({onReport});
  // In object mode each string is a separate read.
  const input = new Readable({objectMode: true, read() {}});
  let timer: NodeJS.Timeout | undefined;
  let afterReading: NodeJS.Immediate | undefined;
  function emit(strings: readonly string[]): void {
    for (const text of strings) input.push(text);
    clearTimeout(timer);
    clearImmediate(afterReading);
    const delay = filter.flushDelay();
    if (delay === undefined) return;
    // After a stall, timers run before pending input, which must be read first.
    timer = setTimeout(() => {
      afterReading = setImmediate(() => emit(filter.flush()));
    }, delay);
  }
  stdin.once('data', (chunk: Buffer) => {
    emit(filter.push(typedAhead(chunk)));
    stdin.on('data', (chunk: Buffer) => emit(filter.push(chunk)));
  });
  stdin.pause();
  const terminal = {
    isTTY: true,
    // Decoded already; Node would join buffered strings.
    setEncoding: () => input,
    setRawMode(mode: boolean) {
      // Paused while another program uses the terminal.
      if (mode) {
        stdin.setRawMode(true);
        stdin.resume();
        // Not earlier: the terminal's answers would be echoed.
        enter();
      } else stdin.pause();
      return input;
    },
    ref: () => stdin.ref(),
    unref: () => stdin.unref(),
  };
  return Object.assign(input, terminal) as unknown as NodeJS.ReadStream;
}
