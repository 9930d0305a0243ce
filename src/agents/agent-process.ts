import type {ProcessExit, Result} from '../failure.ts';

/** A running agent. */
export interface AgentProcess {
  readonly pid: number;
  /** Raw bytes, for the transport. */
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  /** The last of what it wrote on stderr, bounded. */
  stderrTail(): string;
  /** Resolves when the process has ended, with what it wrote on stderr before that read. */
  readonly exited: Promise<ProcessExit>;
  /** Closes its stdin, which asks it to end. */
  closeInput(): void;
  /** How many processes of its tree are alive, with those that it left behind. Elsewhere than on Linux, 1 stands for all. */
  living(): number;
  /** Closes stdin, waits up to 2 s, then SIGTERM and SIGKILL to the whole tree; resolves when nothing is left. */
  stop(): Promise<void>;
  /** For exits that cannot wait: kills the whole tree at once, synchronously. */
  killNow(): void;
}

export type LaunchResult = Result<AgentProcess>;
