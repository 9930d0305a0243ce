import type {EndingSignal} from '../cli/exit-codes.ts';
import type {HeadlessIo} from './io.ts';

/** What can end a run before its turn does. */
export interface Interruptions {
  /** The signal that came first; SIGPIPE when nobody reads standard output any more. */
  readonly signal: EndingSignal | undefined;
  readonly timedOut: boolean;
  /** Resolves when the turn is not to be waited for any longer: none runs, a grace period is over, or a signal came twice. */
  readonly leave: Promise<void>;
  /** Resolves when not even the agent's orderly end is to be waited for: a signal came while leaving. */
  readonly hurry: Promise<void>;
  /** No more callbacks, no more timers. */
  stop(): void;
}

export interface InterruptionOptions {
  readonly io: HeadlessIo;
  readonly timeoutSeconds: number | undefined;
  /** How long a turn may take to end after it was cancelled by anything but Ctrl+C. */
  readonly graceMs: number;
  /** Cancels the turn; false when none runs. */
  readonly cancel: () => boolean;
}

/**
 * Watches signals, the time and standard output. Each first cancels the turn; Ctrl+C then waits for the agent however long it
 * takes, since somebody is there to press it again; the others wait for a grace period.
 */
export function watchInterruptions(options: InterruptionOptions): Interruptions {
  const {io, timeoutSeconds, graceMs, cancel} = options;
  const leaving = Promise.withResolvers<void>();
  const hurrying = Promise.withResolvers<void>();
  const timers: NodeJS.Timeout[] = [];
  let signal: EndingSignal | undefined;
  let timedOut = false;
  let isLeaving = false;

  function leaveNow(): void {
    isLeaving = true;
    leaving.resolve();
  }

  function interrupt(wait: () => void): void {
    if (cancel()) wait();
    else leaveNow();
  }

  const waitAWhile = () => void timers.push(setTimeout(leaveNow, graceMs));
  const waitForAgent = () => io.stderr.write('acp-tui: Cancelling; press Ctrl+C again to leave at once.\n');

  function onSignal(received: EndingSignal): void {
    if (isLeaving || signal === received) {
      leaveNow();
      hurrying.resolve();
      return;
    }
    signal ??= received;
    interrupt(received === 'SIGINT' ? waitForAgent : waitAWhile);
  }

  if (timeoutSeconds !== undefined) {
    const onTimeout = () => {
      timedOut = true;
      interrupt(waitAWhile);
    };
    timers.push(setTimeout(onTimeout, timeoutSeconds * 1000));
  }
  const stopSignals = io.onSignal(onSignal);
  io.stdout.onClosed(() => onSignal('SIGPIPE'));
  return {
    get signal() {
      return signal;
    },
    get timedOut() {
      return timedOut;
    },
    leave: leaving.promise,
    hurry: hurrying.promise,
    stop() {
      stopSignals();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
