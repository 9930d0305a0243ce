import type {LogLevel} from '../shared/log-level.ts';

/**
 * How lines of text reach an agent and come back. Lines, not messages: what an agent prints that is no message must reach the
 * log, and a recording holds what was really sent.
 */
export interface Transport {
  /**
   * Lines without their ending, as many at a time as one read brought. Closes when the agent ends its output; errors with the
   * SDK's `MessageTooLargeError` when a line is longer than the limit.
   */
  readonly lines: ReadableStream<readonly string[]>;
  /** Sends one line; resolves when it is on its way, rejects when the agent no longer reads. */
  send(line: string): Promise<void>;
}

export type Log = (level: LogLevel, message: string) => void;
