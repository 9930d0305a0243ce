import {Writable} from 'node:stream';
import {createOutput, type Output} from '../../../../src/cli/output.ts';
import type {CatchableSignal} from '../../../../src/shared/processes/before-signal.ts';
import type {PrintIo} from '../../../../src/modes/print/io.ts';

export interface MemoryIo extends PrintIo {
  out(): string;
  err(): string;
  signal(signal: CatchableSignal): void;
}

export interface MemoryIoOptions {
  readonly stdin?: string;
  /** It never ends. */
  readonly stdinStaysOpen?: boolean;
  /** What comes without being asked for. */
  readonly offeredStdin?: string;
  readonly ignoredStdin?: boolean;
  readonly terminal?: boolean;
  readonly stdout?: Writable;
}

/** The I/O of a run, in memory. */
export function createMemoryIo(options: MemoryIoOptions = {}): MemoryIo {
  const listeners = new Set<(signal: CatchableSignal) => void>();
  const out = memory(options);
  const err = memory({...(options.terminal !== undefined && {terminal: options.terminal})});
  return {
    stdout: out.output,
    stderr: err.output,
    out: out.text,
    err: err.text,
    notRecorded: () => undefined,
    readStdin: () =>
      options.stdinStaysOpen
        ? new Promise(() => {})
        : Promise.resolve({ok: true, value: options.stdin ?? ''}),
    offeredStdin(warn) {
      if (options.ignoredStdin) warn('Standard input is ignored.');
      const text = Promise.resolve({ok: true as const, value: options.offeredStdin ?? ''});
      return {isMeant: true, text};
    },
    onSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    signal(signal) {
      for (const listener of listeners) listener(signal);
    },
  };
}

function memory({terminal, stdout}: MemoryIoOptions): {output: Output; text: () => string} {
  const chunks: string[] = [];
  const stream =
    stdout ??
    new Writable({
      write(chunk, _encoding, done) {
        chunks.push(String(chunk));
        done();
      },
    });
  const output = createOutput(Object.assign(stream, {isTTY: terminal ?? false}), 'standard output');
  return {output, text: () => chunks.join('')};
}
