import {once} from 'node:events';
import process from 'node:process';
import {Readable} from 'node:stream';
import {format} from 'node:util';
import {supportsColor} from 'chalk';
import {render} from 'ink';
import {createRef} from 'react';
import type {Effect, Step} from '../src/app/effects.ts';
import type {AppEvent} from '../src/app/events.ts';
import {createInputFilter} from '../src/app/input/input-filter.ts';
import type {KeyEvent} from '../src/app/input/key-event.ts';
import type {AppState} from '../src/app/state.ts';
import type {Store} from '../src/store.ts';
import {loadMarkdown} from '../src/text/markdown/lazy.ts';
import {App, type AppHandle} from './app.tsx';
import {abilitiesOf} from './terminal/abilities.ts';
import {createCompanions, type Companions} from './terminal/companions.ts';
import {createGatedOutput} from './terminal/output.ts';
import {createPainter} from './terminal/painter.ts';

export interface StartOptions {
  readonly store: Store<AppState, AppEvent>;
  /** What a key leads to. */
  readonly handleKey: (state: AppState, key: KeyEvent) => Step;
  /** Does what the window wants done, but for what concerns the terminal. */
  readonly perform: (effect: Effect) => void;
  /** Takes what libraries say on the console, which must not get onto the screen. */
  readonly log: (text: string) => void;
}

export interface Screen {
  /** Resolves when the screen was left and the terminal is as it was. */
  waitUntilExit(): Promise<void>;
  unmount(): void;
}

/** Draws the window in the terminal until `unmount`. Standard input and output must be a terminal. */
export function start({store, handleKey, perform, log}: StartOptions): Screen {
  const {stdout} = process;
  const abilities = abilitiesOf(process.env, supportsColor === false ? 0 : supportsColor.level);
  const output = createGatedOutput(stdout);
  const companions = createCompanions(store, (data) => void stdout.write(data));
  const handle = createRef<AppHandle>();
  let isSuspended = false;
  const painter = createPainter({
    output,
    reflows: abilities.reflows,
    lineWidths: () => handle.current?.lineWidths() ?? [],
    forget: () => ink.clear(),
  });

  async function suspend(): Promise<void> {
    if (isSuspended || process.platform === 'win32') return;
    isSuspended = true;
    painter.finish();
    await handle.current?.suspend(() => stopped(companions));
    isSuspended = false;
    output.settle();
  }

  function press(key: KeyEvent): void {
    const {events, effects} = handleKey(store.current(), key);
    for (const event of events) store.dispatch(event, 'urgent');
    for (const effect of effects)
      if (effect.kind === 'suspend') void suspend();
      else if (effect.kind === 'redraw') painter.repaint();
      else perform(effect);
  }

  companions.enter();
  const releaseConsole = takeConsole(log);
  const isHeld = () => isSuspended || painter.isBusy();
  const ink = render(<App {...{store, abilities, press, isHeld, handle}} ready={loadMarkdown()} />, {
    stdin: createInput(companions.hear),
    stdout: output.stream,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    incrementalRendering: true,
    maxFps: 240,
    kittyKeyboard: {mode: 'auto', flags: ['disambiguateEscapeCodes']},
  });
  stdout.on('resize', painter.resized);
  // Every way out that can be caught comes past here.
  process.once('exit', companions.leave);

  return {
    async waitUntilExit() {
      await ink.waitUntilExit();
    },
    unmount() {
      stdout.off('resize', painter.resized);
      process.off('exit', companions.leave);
      painter.finish();
      ink.unmount();
      companions.leave();
      releaseConsole();
    },
  };
}

/** Sends what is said on the console elsewhere; returns the way back. */
function takeConsole(log: (text: string) => void): () => void {
  const methods = ['log', 'info', 'debug', 'warn', 'error', 'trace'] as const;
  const before = {...globalThis.console};
  for (const method of methods) globalThis.console[method] = (...said: unknown[]) => log(format(...said));
  return () => void Object.assign(globalThis.console, before);
}

/** Stops this process, as Ctrl+Z does where the terminal is not raw; resolves when it is brought back. */
async function stopped(companions: Companions): Promise<void> {
  companions.leave();
  const back = once(process, 'SIGCONT');
  process.kill(process.pid, 'SIGTSTP');
  await back;
  companions.enter();
}

/** Standard input as Ink reads it, behind the filter. */
function createInput(hear: (sequence: string) => void): NodeJS.ReadStream {
  const {stdin} = process;
  const filter = createInputFilter({onReport: hear});
  // In object mode each string is a read of its own.
  const input = new Readable({objectMode: true, read() {}});
  let timer: NodeJS.Timeout | undefined;
  let afterReading: NodeJS.Immediate | undefined;
  function emit(strings: readonly string[]): void {
    for (const text of strings) input.push(text);
    clearTimeout(timer);
    clearImmediate(afterReading);
    const delay = filter.flushDelay();
    if (delay === undefined) return;
    // After a stall timers come before what there is to read: that must be read first.
    timer = setTimeout(() => {
      afterReading = setImmediate(() => emit(filter.flush()));
    }, delay);
  }
  stdin.on('data', (chunk: Buffer) => emit(filter.push(chunk)));
  stdin.pause();
  const terminal = {
    isTTY: true,
    // Decoded already; Node's own would join what is buffered.
    setEncoding: () => input,
    setRawMode(mode: boolean) {
      stdin.setRawMode(mode);
      // Paused while something else has the terminal.
      if (mode) stdin.resume();
      else stdin.pause();
      return input;
    },
    ref: () => stdin.ref(),
    unref: () => stdin.unref(),
  };
  return Object.assign(input, terminal) as unknown as NodeJS.ReadStream;
}
