import {setTimeout as delay} from 'node:timers/promises';
import {createPlainOutput} from '../text/plain-output.ts';
import {createPace} from './output-pace.ts';
import {createOutputTail} from './output-tail.ts';

/** Where a command's output comes from: a pipe or a pseudo-terminal. */
export interface OutputSource {
  /** To be called once. */
  readonly onBytes: (listener: (bytes: Uint8Array) => void) => void;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Resolves when nothing more can come. */
  readonly closed: Promise<void>;
}

export interface Output {
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
const LONGEST_MS = 1000;

/** Takes in what a command prints: keeps the tail, and hands pieces on at a bearable pace. */
export function takeOutput(source: OutputSource, {outputLimit, onOutput}: OutputOptions): Output {
  const tail = createOutputTail(outputLimit);
  const plain = createPlainOutput();
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  const pace = createPace({deliver: onOutput, pause: source.pause, resume: source.resume});
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
    const deadline = performance.now() + LONGEST_MS;
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
