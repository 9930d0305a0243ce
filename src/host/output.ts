import type {Readable} from 'node:stream';
import {finished} from 'node:stream/promises';
import {setTimeout as delay} from 'node:timers/promises';
import {createPace} from './output-pace.ts';
import {createOutputTail} from './output-tail.ts';
import {createOutputText} from './output-text.ts';

export interface Output {
  readonly read: () => {readonly output: string; readonly truncated: boolean};
  /** Resolves when what the ended command printed was taken in. What it left running may print on. */
  settled(): Promise<void>;
  /** Resolves when nothing that was started can print any more. */
  readonly closed: Promise<void>;
}

/** A pipe that gave nothing for this long after its command ended is empty; a background child may hold it open. */
const QUIET_MS = 100;
/** A background child may also print without end. */
const LONGEST_MS = 1000;

/** Takes in what a command prints: keeps the tail, and hands pieces on at a bearable pace. */
export function takeOutput(
  stream: Readable,
  {outputLimit, onOutput}: {readonly outputLimit: number; readonly onOutput: (text: string) => void},
): Output {
  const tail = createOutputTail(outputLimit);
  const text = createOutputText();
  const pace = createPace({
    deliver: onOutput,
    pause: () => stream.pause(),
    resume: () => stream.resume(),
  });
  let lastPiece = performance.now();

  function take(piece: string): void {
    lastPiece = performance.now();
    if (piece === '') return;
    tail.push(piece);
    pace.push(piece);
  }

  stream.on('data', (bytes: Uint8Array) => take(text.push(bytes)));
  const closed = finished(stream).then(
    () => take(text.end()),
    () => take(text.end()),
  );

  async function quiet(): Promise<void> {
    const deadline = performance.now() + LONGEST_MS;
    for (let rest = QUIET_MS; rest > 0;) {
      await delay(rest);
      const now = performance.now();
      rest = Math.min(lastPiece + QUIET_MS, deadline) - now;
    }
  }

  return {
    read: tail.read,
    closed,
    async settled() {
      await Promise.race([closed, quiet()]);
      pace.flush();
    },
  };
}
