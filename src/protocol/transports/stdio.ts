import {DEFAULT_MAX_MESSAGE_BYTES} from '@agentclientprotocol/sdk/unstable';
import type {Transport} from '../transport.ts';
import {lineSplitter} from './lines.ts';

/** The two ends of a process that speaks "Transports", stdio. */
export interface StdioPipes {
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
