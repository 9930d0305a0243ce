import {fstatSync, type Stats} from 'node:fs';
import {failed} from './failed.ts';
import {createOutput, type Output} from './output.ts';
import type {Result} from '../failure.ts';

/** The signals that a run answers; a closed standard output is told by `Output`. */
export type RunSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** The edges of a one-shot run. */
export interface HeadlessIo {
  readonly stdout: Output;
  readonly stderr: Output;
  /** All of standard input as text; resolves at its end. */
  readStdin(): Promise<Result<string>>;
  /** Whether standard input is a pipe or file with something in it. Never waits and never takes anything out of it. */
  hasUnreadStdin(): boolean;
  /** Calls back with each signal instead of dying of it. Returns the way out. */
  onSignal(listener: (signal: RunSignal) => void): () => void;
}

/** More than this is no prompt: agents take messages of 32 MiB at most. */
const MAX_STDIN_BYTES = 24 * 1024 * 1024;

/** The edges of this process. */
export function processIo(): HeadlessIo {
  return {
    stdout: createOutput(process.stdout),
    stderr: createOutput(process.stderr),
    readStdin: () => readAll(process.stdin),
    hasUnreadStdin: () => holdsInput(statOfStdin()),
    onSignal(listener) {
      const signals: readonly RunSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
  };
}

/** Reads UTF-8 to the end; a byte order mark is dropped, and broken sequences become U+FFFD. */
export async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Result<string>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      bytes += chunk.byteLength;
      if (bytes > MAX_STDIN_BYTES)
        return failed('standard input', `holds more than ${MAX_STDIN_BYTES} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    return failed('standard input', error);
  }
  return {ok: true, value: new TextDecoder().decode(Buffer.concat(chunks))};
}

/** A pipe cannot be asked whether something is in it without taking it out, so an open one counts. */
export function holdsInput(
  stat: Pick<Stats, 'isFIFO' | 'isSocket' | 'isFile' | 'size'> | undefined,
): boolean {
  if (!stat) return false;
  return stat.isFIFO() || stat.isSocket() || (stat.isFile() && stat.size > 0);
}

function statOfStdin(): Stats | undefined {
  try {
    return fstatSync(0);
  } catch {
    return undefined;
  }
}
