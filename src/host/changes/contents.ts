import {createHash, randomBytes} from 'node:crypto';
import {constants} from 'node:fs';
import {mkdir, open, unlink, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';

/** A stored content of a file. */
export interface StoredContent {
  /** Equal only for equal contents. */
  readonly fingerprint: string;
  /** In bytes. */
  readonly size: number;
  /** Its offset in the contents file; undefined if it could not be stored. */
  readonly offset: number | undefined;
}

/** Stores contents outside of memory for the lifetime of a session. */
export interface Contents {
  /** Never fails: content that cannot be stored still has a fingerprint. */
  keep(bytes: Buffer): Promise<StoredContent>;
  /** Undefined if it was not stored. */
  read(kept: StoredContent): Promise<Buffer | undefined>;
  /** Discards everything. */
  close(): Promise<void>;
}

interface ContentsOptions {
  /** Created on first use, accessible to the user only. */
  readonly folder: string;
  /** Maximum total size, in bytes. */
  readonly limit?: number;
}

const LIMIT = 512 * 1024 * 1024;

/** Stores contents in one private file that is unlinked once open: nothing of it outlives this process. */
export function createContents({folder, limit = LIMIT}: ContentsOptions): Contents {
  const known = new Map<string, StoredContent>();
  let file: Promise<FileHandle> | undefined;
  let end = 0;

  async function append(bytes: Buffer): Promise<number | undefined> {
    if (end + bytes.length > limit) return undefined;
    const offset = end;
    end += bytes.length;
    try {
      const handle = await (file ??= openUnnamed(folder));
      await writeAll(handle, bytes, offset);
      return offset;
    } catch {
      return undefined;
    }
  }

  return {
    async keep(bytes) {
      const fingerprint = fingerprintOf(bytes);
      const earlier = known.get(fingerprint);
      if (earlier) return earlier;
      const kept = {fingerprint, size: bytes.length, offset: await append(bytes)};
      if (kept.offset !== undefined) known.set(fingerprint, kept);
      return kept;
    },
    async read({offset, size}) {
      if (offset === undefined) return undefined;
      if (size === 0) return Buffer.alloc(0);
      const handle = await file;
      const bytes = Buffer.alloc(size);
      const read = await handle?.read(bytes, 0, size, offset);
      return read?.bytesRead === size ? bytes : undefined;
    },
    async close() {
      known.clear();
      const handle = await file?.catch(() => undefined);
      file = undefined;
      await handle?.close();
    },
  };
}

export function fingerprintOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64');
}

async function openUnnamed(folder: string): Promise<FileHandle> {
  await mkdir(folder, {recursive: true, mode: 0o700});
  const path = join(folder, `changes-${randomBytes(8).toString('hex')}`);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
  const handle = await open(path, flags, 0o600);
  await unlink(path);
  return handle;
}

async function writeAll(handle: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const {bytesWritten} = await handle.write(bytes, done, bytes.length - done, offset + done);
    done += bytesWritten;
  }
}
