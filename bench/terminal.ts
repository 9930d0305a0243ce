import {readFileSync} from 'node:fs';
import pty from '@lydell/node-pty';

export interface Session {
  /** Everything the program has written so far, in bytes. */
  readonly bytes: () => number;
  /** When it was written, in milliseconds. */
  readonly writtenAt: () => readonly number[];
  write(text: string): void;
  /** Resolves when the output since `mark` contains a text, or matches. */
  until(wanted: string | RegExp, seconds?: number): Promise<void>;
  /** Discards the output so far: an `until` after it checks only what comes then. */
  mark(): void;
  signal(name: NodeJS.Signals): void;
  readonly pid: number;
  readonly ended: Promise<void>;
}

/** Starts a program in a pseudo-terminal of 120×40 and reads its output without drawing it, so that reading is cheap. */
export function openTerminal(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd = process.cwd(),
): Session {
  const terminal = pty.spawn(file, [...args], {
    name: 'xterm-256color',
    cols: 120,
    rows: 40,
    cwd,
    env,
  });
  let bytes = 0;
  const writtenAt: number[] = [];
  let recent = '';
  const watchers = new Set<(data: string) => void>();
  terminal.onData((data) => {
    bytes += Buffer.byteLength(data);
    writtenAt.push(performance.now());
    recent = (recent + data).slice(-100_000);
    // A terminal answers these queries; without an answer a program waits for its timeout.
    if (data.includes('\x1b[c')) terminal.write('\x1b[?62;22c');
    for (const watcher of watchers) watcher(data);
  });
  const ended = new Promise<void>((resolve) => terminal.onExit(() => resolve()));
  return {
    pid: terminal.pid,
    bytes: () => bytes,
    writtenAt: () => writtenAt,
    write: (text) => terminal.write(text),
    mark: () => (recent = ''),
    signal: (name) => process.kill(terminal.pid, name),
    ended,
    until(wanted, seconds = 120) {
      const {promise, resolve, reject} = Promise.withResolvers<void>();
      const timer = setTimeout(
        () =>
          reject(
            new Error(`did not see ${String(wanted)}; the last was ${JSON.stringify(recent.slice(-500))}`),
          ),
        seconds * 1000,
      );
      let seen = recent;
      const check = (data: string) => {
        seen = (seen + data).slice(-100_000);
        if (typeof wanted === 'string' ? seen.includes(wanted) : wanted.test(seen)) resolve();
      };
      watchers.add(check);
      check('');
      return promise.finally(() => {
        clearTimeout(timer);
        watchers.delete(check);
      });
    },
  };
}

/** User and system time of a process in milliseconds, on request with that of its children that have ended (Linux: clock ticks of 10 ms). */
export function cpuMs(pid: number, {isWithChildren = false} = {}): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const ticks = fields.slice(11, isWithChildren ? 15 : 13).map(Number);
  return ticks.reduce((sum, each) => sum + each) * 10;
}
