import type {Failure, ProcessExit} from '../shared/failure.ts';

/** An agent that runs, as a process here or at the end of a connection. */
export interface RunningAgent {
  /** Names it in recordings; negative for one that is no process of this computer. */
  readonly pid: number;
  /** The last of what it wrote on stderr, bounded; '' for one that runs elsewhere. */
  stderrTail(): string;
  /** Resolves when it has ended, or the connection to it: then undefined. */
  readonly exited: Promise<ProcessExit | undefined>;
  /** Returns why the connection to an agent elsewhere ended, once it has. */
  lost?(): Failure | undefined;
  /** Asks it to end and waits, for a limited time; resolves when nothing is left of it here. */
  stop(): Promise<void>;
  /** The same at once, synchronously, for exits that cannot wait. */
  killNow(): void;
}
