import {setImmediate as macrotask} from 'node:timers/promises';
import type {AnyMessage} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import {methods} from '@agentclientprotocol/sdk/unstable';
import {withoutMarks} from '../../session/transcript/patches.ts';
import {isJsonObject, jsonOf, type JsonObject} from '../../text/json.ts';
import type {Transport} from '../transport.ts';
import type {Negotiation} from './v2-negotiation.ts';
import {malformedNotice} from './v2-schema.ts';

interface Sinks {
  /** True if it may end a turn. */
  readonly update: (params: unknown) => boolean;
  /** A line that is not a message. */
  readonly other: (line: string) => void;
  readonly emit: (message: object) => void;
  readonly negotiation: Negotiation;
  /** Resolves when reading may continue. */
  readonly ready: () => Promise<void>;
}

/** Returns the agent's messages for the SDK; updates stay in order with them, as in version 1. */
export function incoming(transport: Transport, sinks: Sinks): ReadableStream<AnyMessage> {
  const {update, other, emit, negotiation, ready} = sinks;
  async function* messages(): AsyncGenerator<AnyMessage> {
    for await (const read of transport.lines)
      for (const line of read) {
        await ready();
        if (negotiation.version === 1) {
          other(unmarked(line));
          continue;
        }
        for (const message of messagesIn(line)) {
          const malformed = message && malformedNotice(message);
          if (malformed) emit(malformed);
          if (message === undefined) other(line);
          else if (message['method'] === methods.client.session.update) {
            const {id, params} = message;
            // The response that ends a turn comes before what follows.
            if (update(params)) await macrotask();
            // An agent that reads no more may still send.
            if (id !== undefined)
              transport.send(JSON.stringify({jsonrpc: '2.0', id, result: {}})).catch(() => undefined);
          } else {
            const passed = negotiation.forClient(message);
            if (passed) yield passed as unknown as AnyMessage;
            await macrotask();
          }
        }
      }
  }
  const read = messages();
  return new ReadableStream<AnyMessage>({
    async pull(controller) {
      const {value, done} = await read.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** Returns a line of version 1 without what only acp-tui says, see `withoutMarks`. */
function unmarked(line: string): string {
  const message = /acp-tui|\\/.test(line) ? jsonOf(line) : undefined;
  return isJsonObject(message) ? JSON.stringify(withoutMarks(message)) : line;
}

/** Returns the messages of a line: version 2 has batches, each message of which is handled as if it came alone. Undefined for what is none. */
function messagesIn(line: string): readonly (JsonObject | undefined)[] {
  const sent = jsonOf(line);
  const all: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
  const messages = all.filter(isJsonObject).filter((message) => 'method' in message || 'id' in message);
  return messages.length > 0 ? messages.map((message) => withoutMarks(message)) : [undefined];
}
