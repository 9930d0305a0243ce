import {fstatSync, type Stats} from 'node:fs';
import {ENDING_SIGNALS, type CatchableSignal} from '../cli/exit-codes.ts';
import {failed} from '../shared/file-failure.ts';
import {createOutput, type Output} from './output.ts';
import type {Failure, Result} from '../shared/failure.ts';

/** The edges of a one-shot run. */
export interface HeadlessIo {
  readonly stdout: Output;
  readonly stderr: Output;
  /** All of standard input as text; resolves at its end. */
  readStdin(): Promise<Result<string>>;
  /** Calls back once when standard input has something that this run does not read. Never waits for it. */
  onUnreadStdin(listener: () => void): void;
  /** Calls back with each signal instead of dying of it. Returns the way out. */
  onSignal(listener: (signal: CatchableSignal) => void): () => void;
  /** Why the recording of `--record` is not complete. */
  notRecorded(): Failure | undefined;
}

/** More than this is no prompt: agents take messages of 32 MiB at most. */
const MAX_STDIN_BYTES = 24 * 1024 * 1024;

/** The edges of this process. */
export function processIo(notRecorded: HeadlessIo['notRecorded']): HeadlessIo {
  return {
    stdout: createOutput(process.stdout, 'standard output'),
    stderr: createOutput(process.stderr, 'standard error'),
    notRecorded,
    readStdin: () => readAll(process.stdin),
    onUnreadStdin(listener) {
      const kind = inputKind(statOfStdin());
      if (kind === 'shared') listener();
      if (kind === 'own') process.stdin.once('data', listener).unref();
    },
    onSignal(listener) {
      for (const signal of ENDING_SIGNALS) process.on(signal, listener);
      return () => {
        for (const signal of ENDING_SIGNALS) process.off(signal, listener);
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
      if (bytes > MAX_STDIN_BYTES) return failed('standard input', `has more than ${MAX_STDIN_BYTES} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    return failed('standard input', error);
  }
  return {ok: true, value: new TextDecoder().decode(Buffer.concat(chunks))};
}

/**
 * Returns the kind of standard input for a run that does not read it. A pipe or a file may be shared with a loop around this
 * run, so nothing may be taken out to see whether there is something: an open pipe counts as if there were. A socket is what
 * a program that starts another one gives it alone.
 */
export function inputKind(
  stat: Pick<Stats, 'isFIFO' | 'isSocket' | 'isFile' | 'size'> | undefined,
): 'shared' | 'own' | 'none' {
  if (stat?.isFIFO() || (stat?.isFile() && stat.size > 0)) return 'shared';
  return stat?.isSocket() ? 'own' : 'none';
}

function statOfStdin(): Stats | undefined {
  try {
    return fstatSync(0);
  } catch {
    return undefined;
  }
}
