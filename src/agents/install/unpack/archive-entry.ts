import {escapeHiddenLine} from '../../../text/hidden.ts';

/** An entry as described by the archive; nothing is validated yet. */
export interface ArchiveEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'symbolic_link' | 'hard_link' | 'other';
  /** Target of a link. */
  readonly target?: string;
  /** Unix mode; only the execute bits are used. */
  readonly mode: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** An archive that is damaged or contains something forbidden. */
export class InvalidArchiveError extends Error {
  override readonly name = 'BadArchive';
}

/** Rejects an entry; its name is quoted here, and sanitized where the message is shown. */
export function rejectEntry(path: string, problem: string): never {
  throw new InvalidArchiveError(`entry "${path}" ${problem}`);
}

/** Limits on the size of an unpacked archive. */
export interface UnpackLimits {
  readonly entries: number;
  /** Total size of all files. */
  readonly bytes: number;
  /** Maximum ratio of unpacked to packed size; checked above `ratioFrom` bytes. */
  readonly ratio: number;
  readonly ratioFrom: number;
}

const MIB = 1024 * 1024;

/** The largest agents of the registry unpack to a few hundred MiB, 3 to 5 times their archive. */
export const UNPACK_LIMITS: UnpackLimits = {
  entries: 100_000,
  bytes: 4096 * MIB,
  ratio: 50,
  ratioFrom: 64 * MIB,
};

/** Counts unpacked bytes and entries; throws BadArchive above a limit, and when the signal is aborted. */
export interface Meter {
  readonly entry: () => void;
  readonly bytes: (count: number) => void;
}

export function createMeter(limits: UnpackLimits, archiveBytes: number, signal?: AbortSignal): Meter {
  const most = Math.min(limits.bytes, Math.max(limits.ratioFrom, limits.ratio * archiveBytes));
  let entries = 0;
  let bytes = 0;
  return {
    entry() {
      if (++entries > limits.entries)
        throw new InvalidArchiveError(`it has more than ${limits.entries} entries`);
    },
    bytes(count) {
      signal?.throwIfAborted();
      bytes += count;
      if (bytes > most)
        throw new InvalidArchiveError(`it is larger than ${Math.floor(most / MIB)} MiB when unpacked`);
    },
  };
}

const MAX_PATH_LENGTH = 1024;
const MAX_NAME_LENGTH = 255;
/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * Splits the path of an entry into folder names and the file name; empty for the archive's root. Rejects paths that leave the root, that mean something else
 * on another system, or that contain deceptive characters.
 */
export function splitEntryPath(path: string): readonly string[] {
  if (/^[/\\]|^[A-Za-z]:/.test(path)) rejectEntry(path, 'has an absolute path');
  if (path.includes('\\')) rejectEntry(path, 'has a backslash in its path');
  if (escapeHiddenLine(path) !== path || path.includes('\t'))
    rejectEntry(path, 'has invisible characters in its path');
  if (Buffer.byteLength(path) > MAX_PATH_LENGTH) rejectEntry(path, 'has a path that is too long');
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  for (const name of names) {
    if (name === '..') rejectEntry(path, 'is outside the target folder');
    if (Buffer.byteLength(name) > MAX_NAME_LENGTH) rejectEntry(path, 'has a name that is too long');
    if (DEVICE.test(name)) rejectEntry(path, 'has a name that Windows reserves');
    if (/[. ]$/.test(name)) rejectEntry(path, 'has a name that ends with a dot or a space');
  }
  return names;
}
