import {ENDING_SIGNALS, type CatchableSignal} from '../../shared/processes/before-signal.ts';
import {createOutput, type Output} from '../../cli/output.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import {ownInputKind, type OfferedInput, readAll, readOfferedInput} from './standard-input.ts';

/** Input and output of print mode. */
export interface PrintIo {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Reads standard input to its end as text. */
  readStdin(): Promise<Result<string>>;
  /** Reads standard input where it was not asked for, if it is meant for this run; `warn` gets why it does not, or what it waits for. */
  offeredStdin(warn: (text: string) => void): OfferedInput;
  /** Calls back on each signal instead of exiting. Returns a function to stop. */
  onSignal(listener: (signal: CatchableSignal) => void): () => void;
  /** Returns why the recording of `--record` is incomplete. */
  notRecorded(): Failure | undefined;
}

/** Input and output of this process. */
export function processIo(notRecorded: PrintIo['notRecorded']): PrintIo {
  return {
    stdout: createOutput(process.stdout, 'standard output'),
    stderr: createOutput(process.stderr, 'standard error'),
    notRecorded,
    readStdin: () => readAll(process.stdin),
    offeredStdin: (warn) => readOfferedInput(ownInputKind(), () => process.stdin, {warn}),
    onSignal,
  };
}

export const onSignal: PrintIo['onSignal'] = (listener) => {
  for (const signal of ENDING_SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of ENDING_SIGNALS) process.off(signal, listener);
  };
};
