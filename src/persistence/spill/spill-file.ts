import {randomBytes} from 'node:crypto';
import {closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {deserialize, serialize} from 'node:v8';
import {makeFolder, PRIVATE_FILE} from '../private-files.ts';

/** Keeps values on disk for as long as this process lives. */
export interface SpillFile {
  /** Writes a value; gives what reads it back, an equal one each time. Throws when the disk does not take it; reading may throw, too. */
  put(value: unknown): () => unknown;
  /** How many bytes are kept. */
  bytes(): number;
}

export interface SpillOptions {
  /** Where the file lies while it is opened; made where it is missing. */
  readonly folder: string;
  /** A test's disk. */
  readonly write?: typeof writeSync;
}

/**
 * A file without a name: it is removed as soon as it is open, so that nothing of it stays, whatever ends this process. Throws where
 * that cannot be.
 */
export function openSpillFile({folder, write = writeSync}: SpillOptions): SpillFile {
  makeFolder(folder);
  const path = join(folder, `spill-${randomBytes(6).toString('hex')}`);
  const handle = openSync(path, 'wx+', PRIVATE_FILE);
  try {
    rmSync(path);
  } catch (error) {
    closeSync(handle);
    throw error;
  }
  let end = 0;

  function writeAll(data: Buffer): void {
    for (let done = 0; done < data.length;) done += write(handle, data, done, data.length - done, end + done);
  }

  return {
    put(value) {
      const data = serialize(value);
      try {
        writeAll(data);
      } catch (error) {
        ftruncateSync(handle, end);
        throw error;
      }
      const {length} = data;
      const start = end;
      end += data.length;
      return () => {
        const read = Buffer.allocUnsafe(length);
        readSync(handle, read, 0, length, start);
        return deserialize(read);
      };
    },
    bytes: () => end,
  };
}
