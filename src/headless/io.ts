import {fstatSync, type Stats} from 'node:fs';
import {ENDING_SIGNALS, type CatchableSignal} from '../cli/exit-codes.ts';
import {failed} from '../shared/file-failure.ts';
import {createOutput, type Output} from '../cli/output.ts';
import type {Failure, Result} from '../shared/failure.ts';
import {bytes} from '../text/format.ts';

/** Input and output of print mode. */
export interface HeadlessIo {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Reads standard input to its end as text. */
  readStdin(): Promise<Result<string>>;
  /** Calls back once if standard input has data that this run does not read. Never waits for it. */
  onUnreadStdin(listener: () => void): void;
  /** Calls back on each signal instead of exiting. Returns a function to stop. */
  onSignal(listener: (signal: CatchableSignal) => void): () => void;
  /** Returns why the recording of `--record` is incomplete. */
  notRecorded(): Failure | undefined;
}

/** Maximum size of a prompt: agents accept messages of 32 MiB at most. */
const MAX_STDIN_BYTES = 24 * 1024 * 1024;

/** Input and output of this process. */
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

/** Reads UTF-8 to the end; drops a byte order mark, and invalid sequences become U+FFFD. */
export async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Result<string>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.byteLength;
      if (size > MAX_STDIN_BYTES) return failed('standard input', `has more than ${bytes(MAX_STDIN_BYTES)}`);
      chunks.push(chunk);
    }
  } catch (error) {
    return failed('standard input', error);
  }
  return {ok: true, value: new TextDecoder().decode(Buffer.concat(chunks))};
}

/**
 * Returns the kind of standard input for a run that does not read it. A pipe or a file may be shared with a loop around this run, so nothing may be read to
 * check for data: an open pipe counts as data. A socket is passed by a parent process to this one alone.
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
