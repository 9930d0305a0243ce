import {setImmediate as macrotask} from 'node:timers/promises';
import type {AnyMessage} from '@agentclientprotocol/sdk/unstable';
import {isFields, type Fields} from './normalize/deviation.ts';
import type {Transport, Log} from './transport.ts';

/** Receivers of an agent's lines that bypass the SDK. */
interface IncomingSinks {
  /** Called with every line, first. */
  line(line: string): void;
  /** Called with the parameters of a `session/update`, in order with all other messages. */
  update(params: unknown): void;
  /** A line that neither is a message nor looks like one. */
  noise(line: string): void;
  /** A line that looks like a message but cannot be parsed. */
  broken(line: string): void;
  /** Corrects a message before the SDK reads it. */
  correct(message: Fields): Fields;
}

/**
 * Returns the agent's messages for the SDK. A `session/update` goes straight to its sink instead. The SDK handles a message some microtasks after receiving
 * it, so each message gets a macrotask before the next line is processed: no update overtakes the request or response before it.
 */
export function incomingMessages(transport: Transport, sinks: IncomingSinks): ReadableStream<AnyMessage> {
  const reader = transport.lines.getReader();
  let cancelled = false;

  async function pump(controller: ReadableStreamDefaultController<AnyMessage>): Promise<void> {
    for (;;) {
      const {value: lines, done} = await reader.read();
      if (done || cancelled) return;
      for (const line of lines) {
        const message = sort(line, sinks);
        if (message === undefined) continue;
        controller.enqueue(message);
        await macrotask();
        if (cancelled) return;
      }
    }
  }

  return new ReadableStream<AnyMessage>({
    start(controller) {
      // Not returned: otherwise the stream would start only after the agent has ended.
      pump(controller).then(
        () => cancelled || controller.close(),
        (error: unknown) => cancelled || controller.error(error),
      );
    },
    async cancel(reason) {
      cancelled = true;
      await reader.cancel(reason);
    },
  });
}

/** Passes a line to its sink; returns it as a message if it is meant for the SDK. */
function sort(line: string, sinks: IncomingSinks): AnyMessage | undefined {
  if (line.trim() === '') return undefined;
  sinks.line(line);
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    if (looksLikeMessage(line)) sinks.broken(line);
    else sinks.noise(line);
    return undefined;
  }
  // The SDK responds to a batch with the error that the protocol requires.
  if (Array.isArray(message)) return message as unknown as AnyMessage;
  // Some agents log JSON objects: these are not messages, and an error response would only be logged again.
  if (!isFields(message) || !('method' in message || 'id' in message)) {
    sinks.noise(line);
    return undefined;
  }
  if (message['method'] === 'session/update' && !('id' in message)) {
    sinks.update(message['params']);
    return undefined;
  }
  return sinks.correct(message) as unknown as AnyMessage;
}

function looksLikeMessage(line: string): boolean {
  return /^\s*\{\s*"/.test(line);
}

/** Tracks output that is not a message: a program that prints nothing else does not speak ACP. */
interface NonProtocolOutput {
  readonly noise: (line: string) => void;
  /** Called on a message: the program speaks ACP. */
  readonly message: () => void;
  /** The first such line, until a message arrives. */
  readonly sample: () => string | undefined;
}

export function createNonProtocolOutput(log: Log): NonProtocolOutput {
  let first: string | undefined;
  let isAgent = false;
  return {
    noise(line) {
      first ??= line;
      log('info', `the agent printed something that is not a message: ${line.slice(0, 1000)}`);
    },
    message() {
      isAgent = true;
    },
    sample: () => (isAgent ? undefined : first),
  };
}
