import type {ProcessExit, Result} from '../failure.ts';

/** A running agent. */
export interface AgentProcess {
  readonly pid: number;
  /** Raw bytes, for the transport. */
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  /** The last of what it wrote on stderr, bounded. */
  stderrTail(): string;
  /** Resolves when the process has ended. */
  readonly exited: Promise<ProcessExit>;
  /** Closes stdin, waits up to 2 s, then SIGTERM and SIGKILL to the whole tree; resolves when nothing is left. */
  stop(): Promise<void>;
  /** For exits that cannot wait: kills the whole tree at once, synchronously. */
  killNow(): void;
}

export type LaunchResult = Result<AgentProcess>;
