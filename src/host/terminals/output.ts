import {setTimeout as delay} from 'node:timers/promises';
import {createPlainOutput} from '../../text/plain-output.ts';

/** The source of a command's output: a pipe or a pseudo-terminal. */
export interface OutputSource {
  /** To be called once. */
  readonly onBytes: (listener: (bytes: Uint8Array) => void) => void;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Resolves when nothing more can come. */
  readonly closed: Promise<void>;
}

interface Output {
  /** Plain text, see text/plain-output.ts. */
  readonly read: () => {readonly output: string; readonly truncated: boolean};
  /** Resolves when what the ended command printed was taken in. What it left running may print on. */
  settled(): Promise<void>;
  /** Resolves when nothing that was started can print any more. */
  readonly closed: Promise<void>;
}

export interface OutputOptions {
  /** How much is kept, in UTF-8 bytes of plain text. */
  readonly outputLimit: number;
  /** Output as it was printed, decoded: at most thirty times a second, of a flood only the end. */
  readonly onOutput: (text: string) => void;
}

/** A source that gave nothing for this long after its command ended is empty; a background child may hold it open. */
const QUIET_MS = 100;
/** A background child may also print without end. */
const MAX_MS = 1000;

/** Takes in what a command prints: keeps the tail, and hands pieces on at a bearable pace. */
export function captureOutput(source: OutputSource, {outputLimit, onOutput}: OutputOptions): Output {
  const tail = createOutputTail(outputLimit);
  const plain = createPlainOutput();
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  const pace = createOutputThrottle({deliver: onOutput, pause: source.pause, resume: source.resume});
  let lastPiece = performance.now();

  function take(piece: string): void {
    lastPiece = performance.now();
    if (piece === '') return;
    tail.push(plain.push(piece));
    pace.push(piece);
  }

  source.onBytes((bytes) => take(decoder.decode(bytes, {stream: true})));
  const closed = source.closed.then(() => take(decoder.decode()));

  async function quiet(): Promise<void> {
    const deadline = performance.now() + MAX_MS;
    for (let rest = QUIET_MS; rest > 0;) {
      await delay(rest);
      const now = performance.now();
      rest = Math.min(lastPiece + QUIET_MS, deadline) - now;
    }
  }

  return {
    read: () => tail.read(plain.line()),
    closed,
    async settled() {
      await Promise.race([closed, quiet()]);
      pace.flush();
    },
  };
}

/** How often a reader hears of output, at most. */
const PER_SECOND = 30;
/** The largest piece that is handed on, in UTF-16 units; of more, the end is what counts. */
export const MAX_PIECE_SIZE = 96 * 1024;
/** What is taken from a command between two pieces; past that it waits, in UTF-16 units. */
const BUDGET = 2 * 1024 * 1024;

interface OutputThrottle {
  push(text: string): void;
  /** Hands on what waits, at once. */
  flush(): void;
}

/**
 * Stands between a command that prints as fast as it can and those who follow it: many small pieces become few, and
 * `pause` and `resume` hold the command back.
 */
export function createOutputThrottle(options: {
  readonly deliver: (text: string) => void;
  readonly pause: () => void;
  readonly resume: () => void;
}): OutputThrottle {
  let waiting = '';
  let taken = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function deliver(): void {
    const text = waiting;
    waiting = '';
    if (text !== '') options.deliver(text);
  }

  function tick(): void {
    timer = undefined;
    if (taken >= BUDGET) options.resume();
    const idle = taken === 0;
    taken = 0;
    deliver();
    if (!idle) timer = setTimeout(tick, 1000 / PER_SECOND);
  }

  return {
    push(text) {
      waiting = lastUnits(waiting + text);
      const before = taken;
      taken += text.length;
      if (before < BUDGET && taken >= BUDGET) options.pause();
      if (timer !== undefined) return;
      // Nothing came for a while: the first piece is handed on at once.
      deliver();
      timer = setTimeout(tick, 1000 / PER_SECOND);
    },
    flush: deliver,
  };
}

function lastUnits(text: string): string {
  if (text.length <= MAX_PIECE_SIZE) return text;
  const start = text.length - MAX_PIECE_SIZE;
  // Not from the middle of a surrogate pair.
  return text.slice(/^[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start + 1 : start);
}

/**
 * Keeps the last `limit` UTF-8 bytes of a text that grows without end ("Terminals", outputByteLimit), in memory that does
 * not: at most twice the limit and the largest piece.
 */
export function createOutputTail(limit: number): {
  push: (text: string) => void;
  /** The output so far. Starts at a character boundary, so it may be slightly shorter than the limit. */
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
