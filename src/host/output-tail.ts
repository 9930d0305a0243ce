/**
 * Keeps the last `limit` UTF-8 bytes of a text that grows without end ("Terminals", outputByteLimit), in memory that does
 * not: at most twice the limit and the largest piece.
 */
export function createOutputTail(limit: number): {
  push: (text: string) => void;
  /** With what stands behind it so far. Begins at a character, so it may be a little shorter than the limit. */
  read: (unsettled?: string) => {output: string; truncated: boolean};
} {
  let store = Buffer.alloc(0);
  let end = 0;
  let total = 0;

  function makeRoom(bytes: number): void {
    if (end + bytes <= store.length) return;
    const kept = Math.min(end, limit);
    const target = kept + bytes > store.length / 2 ? Buffer.allocUnsafe((kept + bytes) * 2) : store;
    store.copy(target, 0, end - kept, end);
    store = target;
    end = kept;
  }

  return {
    push(text) {
      const bytes = Buffer.from(text);
      total += bytes.length;
      const tail = bytes.subarray(Math.max(0, bytes.length - limit));
      makeRoom(tail.length);
      end += tail.copy(store, end);
    },
    read(unsettled = '') {
      const last = Buffer.from(unsettled);
      const bytes = Buffer.concat([store.subarray(Math.max(0, end - limit), end), last]);
      const truncated = total + last.length > limit;
      let start = Math.max(0, bytes.length - limit);
      if (truncated) while (start < bytes.length && isContinuation(bytes[start])) start += 1;
      return {output: bytes.toString('utf8', start), truncated};
    },
  };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
