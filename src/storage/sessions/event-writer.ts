import {closeSync, fdatasync, fdatasyncSync, fstatSync, openSync, readSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';
import {makeFolder, PRIVATE_FILE} from '../files.ts';

/** Appends lines to a file, those of one turn of the event loop together. What cannot be written now waits, and is tried again. */
interface EventWriter {
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

interface WriterOptions {
  /** Called at most once, when something cannot be written. */
  readonly onProblem: (problem: unknown) => void;
  /** The line that replaces lines that were lost. */
  readonly lost: (lines: number) => string;
  /** A test's disk. */
  readonly write?: Write | undefined;
}

/** What waits for a disk that takes nothing, in UTF-16 units; beyond it lines are given up. */
const MAX_WAITING = 32 * 1024 * 1024;
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
      if (waitingLength > MAX_WAITING) {
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

/** A file of lines that is only added to. Nothing is opened before the first write. */
interface AppendFile {
  /** Throws when it cannot be written wholly; what is missing then comes before what is written next. */
  write(text: string): void;
  /** Something is still missing. */
  isTorn(): boolean;
  /** Lets what was written reach the disk; returns at once. */
  sync(): void;
  /** The same, before it returns; then closes the file. Throws. */
  close(): void;
  /** Size of the file. */
  bytes(): number;
}

export type Write = (handle: number, data: Buffer) => number;

export function appendFile(path: string, write: Write = writeSync): AppendFile {
  let handle: number | undefined;
  let rest: Buffer = Buffer.alloc(0);
  let bytes = 0;

  function open(): number {
    makeFolder(dirname(path));
    const opened = openSync(path, 'a+', PRIVATE_FILE);
    bytes = fstatSync(opened).size;
    // What a kill has torn must not join the next line.
    if (bytes > 0 && !endsLine(opened, bytes)) rest = Buffer.concat([Buffer.from('\n'), rest]);
    return opened;
  }

  return {
    write(text) {
      rest = Buffer.concat([rest, Buffer.from(text)]);
      handle ??= open();
      while (rest.length > 0) {
        const written = write(handle, rest);
        bytes += written;
        rest = rest.subarray(written);
      }
    },
    isTorn: () => rest.length > 0,
    sync() {
      // Should it be closed before this is done: closing syncs it, too.
      if (handle !== undefined) fdatasync(handle, () => {});
    },
    close() {
      if (handle === undefined) return;
      const closing = handle;
      handle = undefined;
      fdatasyncSync(closing);
      closeSync(closing);
    },
    bytes: () => bytes,
  };
}

function endsLine(handle: number, size: number): boolean {
  const last = Buffer.alloc(1);
  readSync(handle, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}
