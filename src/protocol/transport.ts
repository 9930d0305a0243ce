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
    lines: pipes.stdout.pipeThrough(lineSplitter(maxBytes)),
    send: (line) => writer.write(encoder.encode(`${line}\n`)),
  };
}

const NEWLINE = 0x0a;

/**
 * Splits bytes into lines (LF or CRLF; invalid UTF-8 becomes U+FFFD), chunk by chunk. A line over `maxBytes` errors the stream after the lines before it are
 * delivered.
 */
export function lineSplitter(maxBytes: number): TransformStream<Uint8Array, readonly string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  let restBytes = 0;

  return new TransformStream({
    transform(chunk, controller) {
      const last = chunk.lastIndexOf(NEWLINE);
      // Counted in bytes, since a character may take up to three. Only the first and last line can span chunks.
      const firstLine = restBytes + (last === -1 ? chunk.length : chunk.indexOf(NEWLINE));
      restBytes = last === -1 ? firstLine : chunk.length - last - 1;
      const text = decoder.decode(chunk, {stream: true});
      if (last === -1) rest += text;
      else {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        if (firstLine <= maxBytes && chunk.length <= maxBytes) controller.enqueue(lines.map(trimmed));
        else enqueueUpTo(lines, maxBytes, controller);
      }
      if (restBytes > maxBytes) controller.error(new MessageTooLargeError(maxBytes));
    },
    flush(controller) {
      rest += decoder.decode();
      if (rest !== '') controller.enqueue([trimmed(rest)]);
    },
  });
}

/** The rare chunk with a line that is too long: its earlier lines are still delivered. */
function enqueueUpTo(
  lines: readonly string[],
  maxBytes: number,
  controller: TransformStreamDefaultController<readonly string[]>,
): void {
  const tooLong = lines.findIndex((line) => Buffer.byteLength(line) > maxBytes);
  controller.enqueue(lines.slice(0, tooLong === -1 ? undefined : tooLong).map(trimmed));
  if (tooLong !== -1) controller.error(new MessageTooLargeError(maxBytes));
}

function trimmed(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
