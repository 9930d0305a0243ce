import type {EndingSignal} from '../cli/exit-codes.ts';
import type {Failure} from '../shared/failure.ts';
import type {HeadlessIo} from './io.ts';

/** Events that end a run before its turn ends. */
export interface Interruptions {
  /** The first signal; SIGPIPE if standard output is closed. */
  readonly signal: EndingSignal | undefined;
  readonly timedOut: boolean;
  /** Why the results cannot be written. */
  readonly notWritten: Failure | undefined;
  /** True once the turn is not to be waited for any longer. */
  readonly isLeaving: boolean;
  /** Resolves when the turn is not to be waited for any longer: none runs, a grace period is over, or a signal came twice. */
  readonly leave: Promise<void>;
  /** Resolves when not even the agent's orderly end is to be waited for: a signal came while leaving, or the time is long over. */
  readonly hurry: Promise<void>;
  /** From now on only the agent's end is waited for. */
  leaving(): void;
  /** No more callbacks, no more timers. */
  stop(): void;
}

interface InterruptionOptions {
  readonly io: HeadlessIo;
  readonly timeoutSeconds: number | undefined;
  /** How long a turn may take to end after it was cancelled by anything but Ctrl+C and the time limit. */
  readonly graceMs: number;
  /** Cancels the turn; false when none runs. */
  readonly cancel: () => boolean;
}

/** After the time limit: how long the cancelled turn may take to end, and until when the agent must have ended, too. */
const TIMED_OUT_TURN_MS = 500;
const TIMED_OUT_AGENT_MS = 900;

/**
 * Watches signals, the time and standard output. Each first cancels the turn; Ctrl+C then waits for the agent however long it
 * takes, since somebody is there to press it again; the others wait for a grace period, which is short after the time limit.
 */
export function watchInterruptions(options: InterruptionOptions): Interruptions {
  const {io, timeoutSeconds, graceMs, cancel} = options;
  const leaving = Promise.withResolvers<void>();
  const hurrying = Promise.withResolvers<void>();
  const timers: NodeJS.Timeout[] = [];
  const stopSignals = io.onSignal(onSignal);
  const come: {-readonly [Fact in keyof Interruptions]: Interruptions[Fact]} = {
    signal: undefined,
    timedOut: false,
    notWritten: undefined,
    isLeaving: false,
    leave: leaving.promise,
    hurry: hurrying.promise,
    leaving: () => void (come.isLeaving = true),
    stop() {
      stopSignals();
      for (const timer of timers) clearTimeout(timer);
    },
  };

  function leaveNow(): void {
    come.isLeaving = true;
    leaving.resolve();
  }

  function interrupt(wait: () => void): void {
    if (cancel()) wait();
    else leaveNow();
  }

  function after(ms: number, work: () => void): void {
    timers.push(setTimeout(work, ms));
  }

  const waitAWhile = () => after(graceMs, leaveNow);
  const waitForAgent = () => io.stderr.write('acp-tui: Cancelling; press Ctrl+C again to quit now.\n');

  function onSignal(received: EndingSignal): void {
    const isAgain = come.isLeaving || come.signal === received;
    come.signal ??= received;
    if (isAgain) {
      leaveNow();
      hurrying.resolve();
    } else interrupt(received === 'SIGINT' ? waitForAgent : waitAWhile);
  }

  if (timeoutSeconds !== undefined) {
    after(timeoutSeconds * 1000, () => {
      come.timedOut = true;
      interrupt(() => after(TIMED_OUT_TURN_MS, leaveNow));
      after(TIMED_OUT_AGENT_MS, hurrying.resolve);
    });
  }
  io.stdout.onBroken((cause) => {
    if (cause.kind === 'closed') return onSignal('SIGPIPE');
    come.notWritten = cause.failure;
    interrupt(waitAWhile);
  });
  return come;
}
