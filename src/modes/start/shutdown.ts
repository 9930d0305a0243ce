import {signalCode} from '../../cli/exit-codes.ts';
import {ENDING_SIGNALS} from '../../shared/processes/before-signal.ts';
import type {Log} from '../../protocol/transport.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {errorMessage, errorStack} from '../../shared/failure.ts';

/** All exits of a window that can be caught. */
export interface ExitSignals {
  /** Exits cleanly with this exit code; the first call counts. */
  readonly leave: (exitCode: number) => void;
  /** Resolves with the exit code when acp-tui should quit. */
  readonly wanted: Promise<number>;
  /** Ignores Ctrl+C and Ctrl+\ while the callback runs: these keys reach every process of the terminal, also while another one uses it. */
  readonly withoutInterrupts: <T>(work: () => Promise<T>) => Promise<T>;
}

interface ExitSignalOptions {
  /** Synchronously kills all started processes, for exits that cannot wait. */
  readonly killNow: () => void;
  readonly log: Log;
  /** The file it is written to; undefined if nothing is stored. */
  readonly logFile?: string | undefined;
  /** Receives unhandled promise rejections, which end nothing. */
  readonly report?: (error: unknown, where: {readonly doing: string}) => void;
}

/** Ctrl+C and Ctrl+\\ reach every process of a terminal. */
const FROM_KEYS: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT']);

/** Handles signals, the end of input, a lost terminal, and crashes. A second one exits immediately. */
export function watchExitSignals({killNow, log, logFile, report}: ExitSignalOptions): ExitSignals {
  const {promise: wanted, resolve} = Promise.withResolvers<number>();
  let isLeaving = false;
  let isHandedOver = false;

  function leave(exitCode: number): void {
    isLeaving = true;
    resolve(exitCode);
  }
  for (const signal of ENDING_SIGNALS) {
    const code = signalCode(signal);
    process.on(signal, () => {
      if (isHandedOver && FROM_KEYS.has(signal)) return;
      if (isLeaving) process.exit(code);
      leave(code);
    });
  }
  // A file at its size limit (`ulimit -f`) is an error of the write, like a full disk.
  process.on('SIGXFSZ', () => {});
  process.stdin.on('end', () => leave(signalCode('SIGHUP')));
  // If the terminal is gone, reading and writing fail: handled like SIGHUP.
  for (const stream of [process.stdin, process.stdout, process.stderr]) {
    stream.on('error', () => leave(signalCode('SIGHUP')));
  }
  const crashed = (error: unknown) => {
    log('error', `crashed: ${errorStack(error)}`);
    if (isLeaving) process.exit(1);
    const why = sanitizeLine(errorMessage(error));
    const where = logFile === undefined ? '' : `\nSee the log: ${logFile}`;
    // Printed last, when the terminal is restored.
    process.once('exit', () => void process.stderr.write(`acp-tui crashed: ${why}${where}\n`));
    leave(1);
  };
  process.on('uncaughtException', crashed);
  process.on('unhandledRejection', (error) =>
    report ? report(error, {doing: 'unhandled promise rejection'}) : crashed(error),
  );
  process.on('exit', killNow);
  return {
    leave,
    wanted,
    async withoutInterrupts(work) {
      isHandedOver = true;
      try {
        return await work();
      } finally {
        isHandedOver = false;
      }
    },
  };
}
