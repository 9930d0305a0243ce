import {DEFAULT_MAX_MESSAGE_BYTES, MessageTooLargeError} from '@agentclientprotocol/sdk/unstable';
import type {LogLevel} from '../shared/log-level.ts';

/** A line-based transport to an agent. Lines, not messages: output that is not a message must reach the log, and a recording contains exactly what was sent. */
export interface Transport {
  /**
   * Lines without their ending, as many at a time as one read returned. Closes when the agent closes its output; errors with the SDK's `MessageTooLargeError`
   * if a line exceeds the limit.
   */
  readonly lines: ReadableStream<readonly string[]>;
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

const NEWLINE = 0x0a;
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
  const splitter = createSplitter(maxBytes);
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

function createSplitter(maxBytes: number) {
  const decoder = new TextDecoder();
  let rest = '';
  let restBytes = 0;
  let isTooLong = false;

  return {
    split(chunk: Uint8Array): readonly string[] {
      const last = chunk.lastIndexOf(NEWLINE);
      // Counted in bytes, since a character may take up to three. Only the first and last line can span chunks.
      const firstLine = restBytes + (last === -1 ? chunk.length : chunk.indexOf(NEWLINE));
      restBytes = last === -1 ? firstLine : chunk.length - last - 1;
      isTooLong = restBytes > maxBytes;
      const text = decoder.decode(chunk, {stream: true});
      if (last === -1) {
        rest += text;
        return [];
      }
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      if (firstLine <= maxBytes && chunk.length <= maxBytes) return lines.map(trimmed);
      // The rare chunk with a line that is too long: its earlier lines are still delivered.
      const tooLong = lines.findIndex((line) => Buffer.byteLength(line) > maxBytes);
      isTooLong ||= tooLong !== -1;
      return lines.slice(0, tooLong === -1 ? undefined : tooLong).map(trimmed);
    },
    /** Returns a last line without an end. */
    end(): readonly string[] {
      rest += decoder.decode();
      return rest === '' ? [] : [trimmed(rest)];
    },
    isTooLong: () => isTooLong,
  };
}

function trimmed(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
