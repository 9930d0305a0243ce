import {BadArchive} from './entry.ts';

/** How large what is unpacked may be. */
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
      if (++entries > limits.entries) throw new BadArchive(`it holds more than ${limits.entries} entries`);
    },
    bytes(count) {
      signal?.throwIfAborted();
      bytes += count;
      if (bytes > most) throw new BadArchive(`it unpacks to more than ${Math.floor(most / MIB)} MiB`);
    },
  };
}
