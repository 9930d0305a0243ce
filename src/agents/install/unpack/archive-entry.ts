import {escapeHiddenLine} from '../../../text/hidden.ts';

/** An entry of an archive as the archive describes it: nothing is checked yet. */
export interface ArchiveEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'symbolic_link' | 'hard_link' | 'other';
  /** Where a link leads. */
  readonly target?: string;
  /** As Unix has it; only the bits for executing are looked at. */
  readonly mode: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** An archive that is not what it should be, or that wants what no archive may do. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
}

/** Refuses an entry; its name is quoted, and sanitized where the message is shown. */
export function rejectEntry(path: string, problem: string): never {
  throw new BadArchive(`entry "${path}" ${problem}`);
}

/** Limits on the size of an unpacked archive. */
export interface UnpackLimits {
  readonly entries: number;
  /** Of all files together. */
  readonly bytes: number;
  /** How many times larger than the archive; only above `ratioFrom` bytes. */
  readonly ratio: number;
  readonly ratioFrom: number;
}

const MIB = 1024 * 1024;

/** The largest agents of the registry unpack to some hundred MiB, 3 to 5 times their archive. */
export const UNPACK_LIMITS: UnpackLimits = {
  entries: 100_000,
  bytes: 4096 * MIB,
  ratio: 50,
  ratioFrom: 64 * MIB,
};

/** Counts what comes out of an archive; throws BadArchive when it becomes too much, and when it is called off. */
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
      if (++entries > limits.entries) throw new BadArchive(`it has more than ${limits.entries} entries`);
    },
    bytes(count) {
      signal?.throwIfAborted();
      bytes += count;
      if (bytes > most) throw new BadArchive(`it is larger than ${Math.floor(most / MIB)} MiB when unpacked`);
    },
  };
}

const MAX_PATH_LENGTH = 1024;
const MAX_NAME_LENGTH = 255;
/** What Windows takes for a device, whatever comes behind the dot. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * The path of an entry as the names of folders and, last, its own; empty for the archive's own folder. Refuses every path
 * that leads out of it, that means something else on another system, or that does not look like what it is.
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
