import xterm from '@xterm/headless';
import {bytesOf, type KeyName} from './keys.ts';
import {watchModes, type Modes} from './modes.ts';
import {frameOf, pictureOf, type Frame} from './picture.ts';
import {spawnProgram, type Program, type ProgramOptions} from './program.ts';

export interface TerminalOptions extends Pick<ProgramOptions, 'cwd' | 'env'> {
  readonly columns?: number;
  readonly rows?: number;
  /** Default: in a real pseudo-terminal. */
  readonly start?: (options: ProgramOptions) => Program;
  /** True for a terminal that supports the kitty keyboard protocol. */
  readonly kitty?: boolean;
  /** Its response to the background query, `rgb:ffff/ffff/ffff`; without one it does not respond. */
  readonly background?: string;
}

/** How long to wait for a state, in seconds: far more than a busy machine needs. */
const TIMEOUT_SECONDS = 60;

/**
 * A program in a terminal, with a real terminal emulator that reads its output: raw bytes cannot show whether a
 * line is still on the screen. Every wait is for a state, checked again after every draw.
 */
export class TerminalDriver {
  readonly #program: Program;
  readonly #screen: xterm.Terminal;
  readonly #watchers = new Set<() => void>();
  #raw = '';
  #unread = 0;
  readonly #modes: () => Modes;
  readonly #isLight: boolean;
  /** The exit of the program; undefined while it runs. */
  exit: {readonly code: number; readonly signal: number | undefined} | undefined;
  title = '';
  bells = 0;
  /** The text written to the clipboard. */
  readonly clipboard: string[] = [];
  /** How often the whole screen, or the scrollback, was erased. */
  clears = 0;

  constructor(file: string, args: readonly string[], options: TerminalOptions) {
    const {columns = 100, rows = 30, cwd, env, start = spawnProgram} = options;
    this.#screen = new xterm.Terminal({cols: columns, rows, scrollback: 20_000, allowProposedApi: true});
    this.#program = start({file, args, cwd, env, columns, rows});
    this.#program.onData((data) => this.#read(data));
    this.#screen.onData((answer) => this.#write(answer));
    this.#screen.onTitleChange((title) => (this.title = title));
    this.#screen.onBell(() => this.bells++);
    this.#modes = watchModes(this.#screen, {
      kitty: options.kitty ?? false,
      answer: (data) => this.#write(data),
    });
    const {background} = options;
    this.#isLight = background?.includes('ff/') ?? false;
    this.#screen.parser.registerOscHandler(11, () => {
      if (background !== undefined) this.#write(`\x1b]11;${background}\x1b\\`);
      return true;
    });
    this.#screen.parser.registerOscHandler(52, (data) => Boolean(this.clipboard.push(data)));
    this.#screen.parser.registerCsiHandler({final: 'J'}, ([part]) => {
      if (Number(part) >= 2) this.clears++;
      return false;
    });
    this.#program.onExit(({exitCode, signal}) => {
      this.exit = {code: exitCode, signal};
      this.#notify();
    });
  }

  get pid(): number {
    return this.#program.pid;
  }

  /** The screen as an SVG picture. */
  picture(): string {
    return pictureOf(this.frame());
  }

  /** The screen as one of several in a moving picture. */
  frame(): Frame {
    const {buffer, cols: columns, rows} = this.#screen;
    return frameOf(buffer.active, {columns, rows, isLight: this.#isLight});
  }

  /** Everything ever written to the terminal. */
  get raw(): string {
    return this.#raw;
  }

  /** The modes that the program has set and not reset. */
  get modes(): Modes {
    return this.#modes();
  }

  get cursor(): {readonly row: number; readonly column: number} {
    const {cursorX, cursorY} = this.#screen.buffer.active;
    return {row: cursorY, column: cursorX};
  }

  /** The visible screen, without trailing spaces. */
  screen(): string {
    const {baseY} = this.#screen.buffer.active;
    return this.#lines(baseY, baseY + this.#screen.rows);
  }

  /** Scrollback and screen. */
  history(): string {
    return this.#lines(0, this.#screen.buffer.active.length);
  }

  type(text: string): void {
    this.#write(text);
  }

  press(...keys: readonly KeyName[]): void {
    for (const key of keys) this.#write(bytesOf(key));
  }

  /** What a terminal with bracketed paste sends for a paste. */
  paste(text: string): void {
    this.#write(`\x1b[200~${text}\x1b[201~`);
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#program.resize(columns, rows);
  }

  /** Closes the terminal's window: the program loses its terminal. */
  hangUp(): void {
    this.#program.hangUp();
  }

  /** Sends a signal to the program itself. */
  signal(name: NodeJS.Signals): void {
    this.#program.kill(name);
  }

  /** Waits until the visible screen contains `text` (or matches). */
  async sees(text: string | RegExp, seconds = TIMEOUT_SECONDS): Promise<void> {
    await this.until(() => matches(this.screen(), text), `to see ${String(text)}`, seconds);
  }

  /** Waits until scrollback or screen contain `text`. */
  async hasSeen(text: string | RegExp, seconds = TIMEOUT_SECONDS): Promise<void> {
    await this.until(() => matches(this.history(), text), `to have seen ${String(text)}`, seconds);
  }

  /** Waits until the visible screen no longer contains `text`. */
  async noLongerSees(text: string | RegExp, seconds = TIMEOUT_SECONDS): Promise<void> {
    await this.until(() => !matches(this.screen(), text), `no longer to see ${String(text)}`, seconds);
  }

  /** Repeats an action after every draw until `text` is on the screen. */
  async doUntilItSees(action: () => void, text: string | RegExp): Promise<void> {
    this.#watchers.add(action);
    await this.sees(text).finally(() => this.#watchers.delete(action));
  }

  async ended(seconds = TIMEOUT_SECONDS): Promise<number> {
    await this.until(() => this.exit !== undefined, 'the program to end', seconds);
    return this.exit?.code ?? -1;
  }

  /**
   * Waits for any state of the terminal; all output so far is parsed first, and a frame is complete. If `holds` throws,
   * it does not hold yet: a file that it reads can be replaced by the program at that moment.
   */
  async until(holds: () => boolean, what: string, seconds = TIMEOUT_SECONDS): Promise<void> {
    const isWhole = () => this.exit !== undefined || !this.modes.synchronized;
    let thrown: unknown;
    const settled = () => {
      try {
        thrown = undefined;
        return this.#unread === 0 && isWhole() && holds();
      } catch (error) {
        thrown = error;
        return false;
      }
    };
    if (settled()) return;
    const {promise, resolve, reject} = Promise.withResolvers<void>();
    const check = () => settled() && resolve();
    const timer = setTimeout(
      () =>
        reject(
          new Error(
            `waited ${seconds} s ${what}; the screen shows\n${this.screen()}\n(exit: ${JSON.stringify(this.exit)})`,
            {cause: thrown},
          ),
        ),
      seconds * 1000,
    );
    // State outside the terminal (a file, a process) does not draw: poll now and then.
    const poll = setInterval(check, 50);
    this.#watchers.add(check);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      clearInterval(poll);
      this.#watchers.delete(check);
    }
  }

  /** Stops it if it still runs, for the end of a test. */
  async dispose(): Promise<void> {
    if (!this.exit) {
      this.#program.end();
      await this.until(() => this.exit !== undefined, 'the program to die');
    }
    this.#screen.dispose();
  }

  #read(data: string): void {
    this.#raw += data;
    this.#unread++;
    this.#screen.write(data, () => {
      this.#unread--;
      this.#notify();
    });
  }

  #write(data: string): void {
    if (!this.exit) this.#program.write(data);
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }

  #lines(from: number, to: number): string {
    const lines: string[] = [];
    for (let y = from; y < to; y++)
      lines.push(this.#screen.buffer.active.getLine(y)?.translateToString(true) ?? '');
    return lines.join('\n').trimEnd();
  }
}

function matches(screen: string, text: string | RegExp): boolean {
  return typeof text === 'string' ? screen.includes(text) : text.test(screen);
}
