import type {EndingSignal} from '../../cli/exit-codes.ts';
import type {Failure} from '../../shared/failure.ts';
import type {PrintIo} from './io.ts';

/** Events that end a run before its turn ends. */
export interface Interruptions {
  /** The first signal; SIGPIPE if standard output is closed. */
  readonly signal: EndingSignal | undefined;
  readonly timedOut: boolean;
  /** Why the results cannot be written. */
  readonly notWritten: Failure | undefined;
  /** True once the run no longer waits for the turn. */
  readonly isLeaving: boolean;
  /** Resolves when the run no longer waits for the turn: none is running, the grace period is over, or a signal came twice. */
  readonly leave: Promise<void>;
  /** Resolves when the run does not even wait for the agent's clean exit: a signal came while leaving, or the time limit is long over. */
  readonly hurry: Promise<void>;
  /** From now on only the agent's exit is awaited. */
  leaving(): void;
  /** Stops all callbacks and timers. */
  stop(): void;
}

interface InterruptionOptions {
  readonly io: PrintIo;
  readonly timeoutSeconds: number | undefined;
  /** Grace period of a turn cancelled by anything but the time limit. */
  readonly graceMs: number;
  /** Cancels the turn; false if none is running. */
  readonly cancel: () => boolean;
}

/** Grace periods after the time limit, for the cancelled turn and for the agent's exit. */
const TIMED_OUT_TURN_MS = 500;
const TIMED_OUT_AGENT_MS = 900;

/** Watches signals, the time limit and standard output. Each first cancels the turn, which then has a grace period, a short one after the time limit. */
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
  const say = () => io.stderr.write('acp-tui: Cancelling; press Ctrl+C again to quit now.\n');

  function onSignal(received: EndingSignal): void {
    const isAgain = come.isLeaving || come.signal === received;
    come.signal ??= received;
    if (isAgain) {
      leaveNow();
      hurrying.resolve();
    } else
      interrupt(() => {
        if (received === 'SIGINT') say();
        waitAWhile();
      });
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
