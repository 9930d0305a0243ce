import {closeSync, fdatasync, fdatasyncSync, fstatSync, openSync, readSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';
import {makeFolder, PRIVATE_FILE} from '../private-files.ts';

/** A file of lines that is only added to. Nothing is opened before the first write. */
export interface AppendFile {
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
