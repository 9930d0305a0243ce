import type {Failure, ProcessExit} from '../shared/failure.ts';

/** A running agent: a local process or a remote connection. */
export interface RunningAgent {
  /** Identifies it in recordings; negative for a remote agent. */
  readonly pid: number;
  /** The end of its stderr, bounded; '' for a remote agent. */
  stderrTail(): string;
  /** Resolves when the process has exited or the connection has ended; undefined for a connection. */
  readonly exited: Promise<ProcessExit | undefined>;
  /** Returns why the connection to a remote agent ended, once it has. */
  lost?(): Failure | undefined;
  /** Asks it to exit and waits for a limited time; resolves when nothing is left of it here. */
  stop(): Promise<void>;
  /** Kills it at once, synchronously, for exits that cannot wait. */
  killNow(): void;
}
