import {appendFile, type Write} from './append-file.ts';

/** Appends lines to a file, those of one turn of the event loop together. What cannot be written now waits, and is tried again. */
export interface EventWriter {
  /** A whole line. */
  append(line: string): void;
  /** Writes what waits. */
  flush(): void;
  /** Writes what waits and lets it reach the disk; returns at once. */
  sync(): void;
  /** The same, before it returns. */
  close(): void;
  /** Size of the file. */
  bytes(): number;
}

export interface WriterOptions {
  /** Called at most once, when something cannot be written. */
  readonly onProblem: (problem: unknown) => void;
  /** The line that stands for lines that had to be given up. */
  readonly lost: (lines: number) => string;
  /** A test's disk. */
  readonly write?: Write | undefined;
}

/** What waits for a disk that takes nothing, in UTF-16 units; beyond it lines are given up. */
const MOST_WAITING = 32 * 1024 * 1024;
/** How long a disk that took nothing is left alone, in milliseconds. */
const RETRY_MS = 1000;

export function createEventWriter(path: string, {onProblem, lost, write}: WriterOptions): EventWriter {
  const file = appendFile(path, write);
  let waiting: string[] = [];
  let waitingLength = 0;
  let givenUp = 0;
  let scheduled: NodeJS.Immediate | undefined;
  let failedAt = -Infinity;

  function attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (failedAt === -Infinity) onProblem(error);
      failedAt = performance.now();
    }
  }

  function writeWaiting(): void {
    if (givenUp > 0) waiting.push(lost(givenUp));
    givenUp = 0;
    const text = waiting.join('');
    waiting = [];
    file.write(text);
    waitingLength = 0;
  }

  function flush(): void {
    clearImmediate(scheduled);
    scheduled = undefined;
    if (waiting.length > 0 || file.isTorn()) attempt(writeWaiting);
  }

  return {
    append(line) {
      if (waitingLength > MOST_WAITING) {
        givenUp++;
        return;
      }
      waiting.push(line);
      waitingLength += line.length;
      if (performance.now() - failedAt > RETRY_MS) scheduled ??= setImmediate(flush);
    },
    flush,
    sync() {
      flush();
      file.sync();
    },
    close() {
      flush();
      attempt(() => file.close());
    },
    bytes: () => file.bytes(),
  };
}
