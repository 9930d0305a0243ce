import {setTimeout as delay} from 'node:timers/promises';
import {createPlainOutput} from '../../text/plain-output.ts';

/** The source of a command's output: a pipe or a pseudo-terminal. */
export interface OutputSource {
  /** Call it once. */
  readonly onBytes: (listener: (bytes: Uint8Array) => void) => void;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Resolves when no more output can arrive. */
  readonly closed: Promise<void>;
}

interface Output {
  /** Plain text, see text/plain-output.ts. */
  readonly read: () => {readonly output: string; readonly truncated: boolean};
  /** Resolves when the output of the exited command was read. Processes that it left running may print more. */
  settled(): Promise<void>;
  /** Resolves when no process can print any more. */
  readonly closed: Promise<void>;
}

export interface OutputOptions {
  /** Maximum size of kept plain text, in UTF-8 bytes. */
  readonly outputLimit: number;
  /** Called with decoded output, at most thirty times a second; of a flood only with the end. */
  readonly onOutput: (text: string) => void;
}

/** After the command has exited, a source without output for this long is drained; a background child may hold it open. */
const QUIET_MS = 100;
/** Limit for a background child that prints continuously, in milliseconds. */
const MAX_MS = 1000;

/** Reads what a command prints: keeps the tail, and passes it on at a limited rate. */
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

/** Maximum number of calls per second. */
const PER_SECOND = 30;
/** Maximum size of a piece, in UTF-16 units; of more output, the end is kept. */
export const MAX_PIECE_SIZE = 96 * 1024;
/** Output read from a command between two pieces before it is paused, in UTF-16 units. */
const BUDGET = 2 * 1024 * 1024;

/** Throttles a command that prints as fast as it can: merges many small pieces into few, and slows the command down with `pause` and `resume`. */
export function createOutputThrottle(options: {
  readonly deliver: (text: string) => void;
  readonly pause: () => void;
  readonly resume: () => void;
}) {
  let waiting = '';
  let received = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function deliver(): void {
    const text = waiting;
    waiting = '';
    if (text !== '') options.deliver(text);
  }

  function tick(): void {
    timer = undefined;
    if (received >= BUDGET) options.resume();
    const idle = received === 0;
    received = 0;
    deliver();
    if (!idle) timer = setTimeout(tick, 1000 / PER_SECOND);
  }

  return {
    push(text: string): void {
      waiting = lastUnits(waiting + text);
      const before = received;
      received += text.length;
      if (before < BUDGET && received >= BUDGET) options.pause();
      if (timer !== undefined) return;
      // After a quiet period, the first piece is passed on at once.
      deliver();
      timer = setTimeout(tick, 1000 / PER_SECOND);
    },
    /** Passes on pending output at once. */
    flush: deliver,
  };
}

function lastUnits(text: string): string {
  if (text.length <= MAX_PIECE_SIZE) return text;
  const start = text.length - MAX_PIECE_SIZE;
  // Not from the middle of a surrogate pair.
  return text.slice(/^[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start + 1 : start);
}

/** Number of pieces that are joined at once. */
const MANY_PIECES = 1000;

/** Keeps the last `limit` UTF-8 bytes of an unbounded text ("Terminals", outputByteLimit), in memory of a few times the limit and the largest piece. */
export function createOutputTail(limit: number) {
  let pieces: Buffer[] = [];
  let kept = 0;
  let total = 0;
  return {
    push(text: string): void {
      const bytes = Buffer.from(text);
      pieces.push(bytes);
      kept += bytes.length;
      total += bytes.length;
      if (kept <= 2 * limit && pieces.length < MANY_PIECES) return;
      const joined = Buffer.concat(pieces);
      pieces = [joined.subarray(Math.max(0, kept - limit))];
      kept = Math.min(kept, limit);
    },
    /** Returns the output so far, `unsettled` last. Starts at a character boundary, so it may be slightly shorter than the limit. */
    read(unsettled = ''): {output: string; truncated: boolean} {
      const bytes = Buffer.concat([...pieces, Buffer.from(unsettled)]);
      const truncated = total + bytes.length - kept > limit;
      let start = Math.max(0, bytes.length - limit);
      if (truncated) while (start < bytes.length && isContinuation(bytes[start])) start += 1;
      return {output: bytes.toString('utf8', start), truncated};
    },
  };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
