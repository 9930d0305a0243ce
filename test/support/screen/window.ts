import {Readable} from 'node:stream';
import {Terminal, type IMarker} from '@xterm/headless';
import {expect} from 'vitest';
import {openInline} from '../../../components/screen.tsx';
import type {TerminalCapabilities} from '../../../components/terminal/capabilities.ts';
import {ASK_FOR_CURSOR} from '../../../components/terminal/painter.ts';
import type {Effect} from '../../../src/app/effects.ts';
import type {AppEvent} from '../../../src/app/events.ts';
import {initialApp} from '../../../src/app/initial.ts';
import {handleKey} from '../../../src/app/handlers/index.ts';
import {reduceApp} from '../../../src/app/reduce.ts';
import {needsTicks} from '../../../src/app/status/notifications.ts';
import type {MouseEvent} from '../../../src/app/input/mouse.ts';
import type {AppState} from '../../../src/app/state.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {createStore} from '../../../src/shared/store.ts';
import {version} from '../../../src/shared/version.ts';
import {drawingReady} from '../in-process.ts';
import type {UntimedEvent} from '../session/build.ts';

// From the first frame on, everything is drawn in the frame in which it arrives.
await drawingReady();

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const abilities: TerminalCapabilities = {
  colors: 0,
  emphasis: false,
  charset: 'unicode',
  hyperlinks: false,
  animations: false,
  reflows: true,
  isLinear: false,
};

/** The environment of a window; usually nothing. */
export interface WindowEnvironment {
  /** The session's folder. */
  readonly cwd?: string;
  /** What is on the terminal before it starts. */
  readonly above?: string;
  readonly perform?: (effect: Effect) => void;
  /** True for a terminal that answers nothing. */
  readonly isSilent?: boolean;
  /** Resolves when the terminal takes the next bytes; rejects if it is closed. Usually at once. */
  readonly takes?: () => Promise<void>;
}

/** The whole window on a terminal emulator: what a user would see, without a process. */
function openWindow(
  size: Size,
  able: Partial<TerminalCapabilities>,
  {cwd = '/work', above = '', perform, isSilent = false, takes}: WindowEnvironment,
) {
  const terminal = new Terminal({
    cols: size.columns,
    rows: size.rows,
    scrollback: 10000,
    allowProposedApi: true,
    // An old Windows console, which cuts lines as xterm does.
    ...(able.reflows === false && {windowsPty: {backend: 'conpty', buildNumber: 19_041}}),
  });
  /** What text alone must never cause: a bell, a title, a terminal response in the input. */
  const received: string[] = [];
  terminal.onBell(() => received.push('bell'));
  terminal.onTitleChange((title) => received.push(`title ${title}`));
  const marks: {readonly kind: string; readonly at: IMarker | undefined}[] = [];
  terminal.parser.registerOscHandler(133, (data) => {
    marks.push({kind: data.slice(0, 1), at: terminal.registerMarker()});
    return true;
  });
  let queries = 0;
  terminal.onData((answer) => {
    if (isSilent) return;
    if (queries === 0) received.push(`answer ${answer}`);
    else queries--;
    screen.handleReport(answer);
  });
  const written: Promise<void>[] = [];
  const bytes: string[] = [];
  let last = Promise.resolve();
  terminal.write(above);
  function send(data: string): void {
    bytes.push(data);
    if (data === ASK_FOR_CURSOR) queries++;
    // The terminal driver makes line feeds start a line.
    written.push(new Promise((resolve) => terminal.write(data.replaceAll('\n', '\r\n'), resolve)));
  }
  const output = {
    ...size,
    write(data: string, callback?: (error?: Error | null) => void) {
      if (!takes) send(data);
      last = last.then(takes).then(() => {
        if (takes) send(data);
      });
      // As a stream does: later, in the order of writes.
      const called = callback ?? (() => undefined);
      // oxlint-disable-next-line promise/no-callback-in-promise
      last.then(() => called(), called);
      return true;
    },
  };
  const input = Object.assign(new Readable({objectMode: true, read() {}}), {
    isTTY: true,
    setRawMode: () => undefined,
    setEncoding: () => undefined,
    ref: () => undefined,
    unref: () => undefined,
  });
  const session = initialSession({cwd, additionalDirectories: [], at: Date.now()});
  const store = createStore<AppState, AppEvent>(
    reduceApp,
    initialApp({session: {key: 'one', agentLabel: 'test agent', session, approval: 'none'}, theme: 'plain'}),
  );
  // As the program does, but more often, which makes tests faster.
  let ticking: NodeJS.Timeout | undefined;
  store.subscribe(() => {
    const isNeeded = needsTicks(store.getSnapshot());
    if (isNeeded) ticking ??= setInterval(() => store.dispatch({type: 'tick', at: performance.now()}), 20);
    if (!isNeeded) clearInterval(ticking);
    if (!isNeeded) ticking = undefined;
  });
  const effects: Effect[] = [];
  const screen = openInline({
    store,
    handleKey,
    perform(effect) {
      effects.push(effect);
      if (effect.kind === 'call' && effect.action === 'changeQueue')
        report({type: 'queue_changed', change: effect.args[0]});
      perform?.(effect);
    },
    capabilities: {...abilities, ...able},
    terminal: output,
    input: input as unknown as NodeJS.ReadStream,
    stop: async () => undefined,
    editor: {edit: async () => ({kind: 'kept', why: 'no editor here'}), end: () => undefined},
  });

  const report = (...events: readonly UntimedEvent[]) => {
    for (const event of events)
      store.dispatch(
        {type: 'session', key: 'one', event: {...event, at: Date.now()}, at: performance.now()},
        'urgent',
      );
  };
  report({type: 'connection_changed', connection: {kind: 'ready'}});

  /** All rows, or those on the screen, without trailing empty ones. */
  async function rows(from: 'start' | 'screen'): Promise<string[]> {
    await screen.flushed();
    await Promise.all(written);
    const {active} = terminal.buffer;
    const lines: string[] = [];
    for (let row = from === 'start' ? 0 : active.baseY; row < active.length; row++)
      lines.push(withoutVersion(active.getLine(row)?.translateToString(true) ?? ''));
    while (lines.at(-1) === '') lines.pop();
    return lines;
  }

  return {
    store,
    effects,
    report,
    /** Keys as a terminal sends them, one per string. */
    press(...keys: readonly string[]) {
      for (const key of keys) input.push(key);
    },
    point(...events: readonly MouseEvent[]) {
      for (const event of events) screen.point(event);
    },
    /** Resolves when everything is written, not when the terminal has read it. */
    written: screen.flushed,
    screen: async () => (await rows('screen')).join('\n'),
    /** The row of the cursor. */
    async cursorRow() {
      await rows('screen');
      const {active} = terminal.buffer;
      return active.getLine(active.baseY + active.cursorY)?.translateToString(true) ?? '';
    },
    /** The rows of the marks of prompts (OSC 133), as `A ▌ Question`. */
    async marks() {
      const all = await rows('start');
      const marked = new Set(marks.map(({kind, at}) => `${at?.line} ${kind}`));
      return all.flatMap((text, row) =>
        ['A', 'C'].filter((kind) => marked.has(`${row} ${kind}`)).map((kind) => `${kind} ${text}`.trimEnd()),
      );
    },
    everything: async () => (await rows('start')).join('\n'),
    received: () => received,
    /** Everything written so far. */
    bytes: () => bytes.join(''),
    resize({columns, rows}: Size) {
      Object.assign(output, {columns, rows});
      terminal.resize(columns, rows);
      screen.resized();
    },
    lend: screen.lend,
    reclaim: screen.reclaim,
    /** Another program writes this. */
    isWritten: (data: string) => terminal.write(data),
    close: () => {
      clearInterval(ticking);
      return screen.unmount();
    },
  };
}

/** A release changes no snapshot. */
function withoutVersion(line: string): string {
  return line.replace(`acp-tui ${version}`, 'acp-tui 0.0.0');
}

export type Window = ReturnType<typeof openWindow>;

const windows: Window[] = [];

/** A window that `closeWindows` closes. */
export function open(
  size: Size = {columns: 60, rows: 16},
  able: Partial<TerminalCapabilities> = {},
  behind: WindowEnvironment = {},
): Window {
  const window = openWindow(size, able, behind);
  windows.push(window);
  return window;
}

export async function closeWindows(): Promise<void> {
  await Promise.all(windows.splice(0).map((window) => window.close()));
}

/** A key counts only some time after the request was drawn, and a little later if it may be a repeat. */
export function keysCount(window: Window, later = 0): Promise<void> {
  return expect.poll(() => performance.now() > answerFrom(window) + later).toBe(true);
}

/** Returns the time from which keys answer the request. */
export function answerFrom(window: Window): number {
  const phase = window.store.latest().request?.phase;
  return phase?.kind === 'focused' ? phase.answerFrom : Infinity;
}

/** Waits until this is on the screen. */
export function shown(window: Window) {
  return expect.poll(() => window.screen());
}
