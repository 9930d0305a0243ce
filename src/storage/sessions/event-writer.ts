import {closeSync, fdatasync, fdatasyncSync, fstatSync, openSync, readSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';
import {makeFolder, PRIVATE_FILE} from '../../shared/files/safe-files.ts';

interface WriterOptions {
  /** Called at most once, when a write fails. */
  readonly onProblem: (problem: unknown) => void;
  /** Returns the line that replaces lost lines. */
  readonly lost: (lines: number) => string;
  /** Replaceable for tests. */
  readonly write?: Write | undefined;
}

/** Maximum size of lines buffered while the disk is full, in UTF-16 units; beyond it lines are dropped. */
const MAX_WAITING = 32 * 1024 * 1024;
/** Pause before retrying a failed write, in milliseconds: each attempt copies all that waits. */
const RETRY_MS = 1000;

/** Appends lines to a file, batched per turn of the event loop. Failed writes are retried. */
export function createEventWriter(path: string, {onProblem, lost, write}: WriterOptions) {
  const file = appendFile(path, write);
  let waiting: string[] = [];
  let waitingLength = 0;
  let givenUp = 0;
  let scheduled: NodeJS.Immediate | undefined;
  let hasFailed = false;
  /** Pending after a failed write. */
  let retry: NodeJS.Timeout | undefined;
  let hasLost = false;

  function attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!hasFailed) onProblem(error);
      hasFailed = true;
      retry ??= setTimeout(() => {
        retry = undefined;
        flush();
      }, RETRY_MS).unref();
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

  function flush(isLast = false): boolean {
    clearImmediate(scheduled);
    scheduled = undefined;
    const isWaiting = waiting.length > 0 || file.isTorn();
    if (isWaiting && (isLast || !retry)) attempt(writeWaiting);
    return !hasLost && waiting.length === 0 && !file.isTorn();
  }

  return {
    /** Adds a complete line. */
    append(line: string): void {
      if (waitingLength > MAX_WAITING) {
        givenUp++;
        hasLost = true;
        return;
      }
      waiting.push(line);
      waitingLength += line.length;
      if (!retry) scheduled ??= setImmediate(flush);
    },
    /** Writes buffered lines, soon after a failed write only if it is the last time. False if the file has not all lines: after a failed write, or with a line in place of some. */
    flush,
    /** Writes buffered lines and starts a sync; returns at once. */
    sync(): void {
      flush();
      file.sync();
    },
    /** Writes buffered lines and syncs the file synchronously, then closes it. */
    close(): void {
      flush(true);
      attempt(() => file.close());
      clearTimeout(retry);
    },
    bytes: file.bytes,
  };
}

export type Write = (handle: number, data: Buffer) => number;

/** An append-only file of lines, opened on the first write. */
export function appendFile(path: string, write: Write = writeSync) {
  let handle: number | undefined;
  let rest: Buffer = Buffer.alloc(0);
  let bytes = 0;

  function open(): number {
    makeFolder(dirname(path));
    const opened = openSync(path, 'a+', PRIVATE_FILE);
    bytes = fstatSync(opened).size;
    // A partial line left by a kill must not be joined with the next one.
    if (bytes > 0 && !endsLine(opened, bytes)) rest = Buffer.concat([Buffer.from('\n'), rest]);
    return opened;
  }

  return {
    /** Throws if not everything can be written; the rest is written first the next time. */
    write(text: string): void {
      rest = Buffer.concat([rest, Buffer.from(text)]);
      handle ??= open();
      while (rest.length > 0) {
        const written = write(handle, rest);
        bytes += written;
        rest = rest.subarray(written);
      }
    },
    /** True if part of a write is missing. */
    isTorn: () => rest.length > 0,
    /** Starts a sync; returns at once. */
    sync(): void {
      // If the file is closed meanwhile: closing syncs it, too.
      if (handle !== undefined) fdatasync(handle, () => {});
    },
    /** Syncs and closes the file. Throws. */
    close(): void {
      if (handle === undefined) return;
      const closing = handle;
      handle = undefined;
      fdatasyncSync(closing);
      closeSync(closing);
    },
    bytes: () => bytes,
  };
}

/** False after a partial last line, of a file that is not empty. */
export function endsLine(handle: number, size: number): boolean {
  const last = Buffer.alloc(1);
  readSync(handle, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}
