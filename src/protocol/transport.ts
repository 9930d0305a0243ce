import {DEFAULT_MAX_MESSAGE_BYTES, MessageTooLargeError} from '@agentclientprotocol/sdk/unstable';
import {createLineSplitter} from '../text/lines.ts';
import type {LogLevel} from '../shared/log-level.ts';

/** A line-based transport to an agent. Lines, not messages: output that is not a message must reach the log, and a recording contains exactly what was sent. */
export interface Transport {
  /**
   * Lines without their ending, as many at a time as one read returned. Closes when the agent closes its output; errors with the SDK's `MessageTooLargeError`
   * if a line exceeds the limit.
   */
  readonly lines: ReadableStream<readonly string[]>;
  /** True if it translates what the agent sends, and may add to its `_meta`. */
  readonly isTranslated?: true;
  /** Sends one line; resolves when it is written, rejects when the agent no longer reads. */
  send(line: string): Promise<void>;
}

export type Log = (level: LogLevel, message: string) => void;

/** The pipes of a process that speaks "Transports", stdio. */
interface StdioPipes {
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
}

export function stdioTransport(pipes: StdioPipes, maxBytes = DEFAULT_MAX_MESSAGE_BYTES): Transport {
  const writer = pipes.stdin.getWriter();
  writer.closed.catch(() => {});
  const encoder = new TextEncoder();
  return {
    lines: linesOf(pipes.stdout, maxBytes),
    send: (line) => writer.write(encoder.encode(`${line}\n`)),
  };
}

/** Between reads of a streamed answer, in milliseconds: handling a read costs several times as much as a line in it. Frames are further apart. */
const READ_INTERVAL = 25;
/** In bytes; a larger read is worth its cost. */
const SMALL_READ = 8 * 1024;

/**
 * Returns the lines of bytes (LF or CRLF; invalid UTF-8 becomes U+FFFD). A line over `maxBytes` errors the stream after the lines before it are delivered.
 * While only small updates arrive, one soon after the other, it reads less often.
 */
export function linesOf(
  bytes: ReadableStream<Uint8Array>,
  maxBytes: number,
): ReadableStream<readonly string[]> {
  const reader = bytes.getReader();
  const splitter = createLineSplitter(maxBytes);
  let streamedAt = -Infinity;
  let isStreaming = false;

  async function pull(controller: ReadableStreamDefaultController<readonly string[]>): Promise<void> {
    if (isStreaming) await new Promise((resolve) => setTimeout(resolve, READ_INTERVAL));
    const {value, done} = await reader.read();
    const lines = done ? splitter.end() : splitter.split(value);
    const hasOnlyUpdates = lines.length > 0 && (value?.length ?? 0) < SMALL_READ && lines.every(isUpdate);
    const now = performance.now();
    isStreaming = hasOnlyUpdates && now - streamedAt < 2 * READ_INTERVAL;
    streamedAt = hasOnlyUpdates ? now : -Infinity;
    if (lines.length > 0) controller.enqueue(lines);
    if (splitter.isTooLong()) {
      const tooLarge = new MessageTooLargeError(maxBytes);
      controller.error(tooLarge);
      await reader.cancel(tooLarge);
    } else if (done) controller.close();
    else if (lines.length === 0) await pull(controller);
  }

  return new ReadableStream({pull, cancel: (reason) => reader.cancel(reason)}, {highWaterMark: 0});
}

function isUpdate(line: string): boolean {
  return line.includes('"session/update"');
}
