import {setImmediate as macrotask} from 'node:timers/promises';
import type {AnyMessage} from '@agentclientprotocol/sdk/unstable';
import {isFields, type Fields} from './normalize/deviation.ts';
import type {Transport, Log} from './transport.ts';

/** Where the lines of an agent go that are not for the SDK. */
interface IncomingSinks {
  /** Every line, before anything else is done with it. */
  line(line: string): void;
  /** The parameters of a `session/update`, in order with everything else. */
  update(params: unknown): void;
  /** A line that is not a message and does not look like one. */
  noise(line: string): void;
  /** A line that was meant as a message but cannot be read. */
  broken(line: string): void;
  /** A message before the SDK sees it. */
  correct(message: Fields): Fields;
}

/**
 * The messages of an agent for the SDK. `session/update` does not go there but straight to its sink. The SDK handles a
 * message some microtasks after it took it, so each is given a macrotask before the next line is looked at: no update
 * overtakes the request or the answer that came before it.
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
      // Not returned: the stream would not count as started before the agent has ended.
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

/** Hands a line to its sink; returns it as a message when it is for the SDK. */
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
  // The SDK answers a batch with the error that the protocol wants.
  if (Array.isArray(message)) return message as unknown as AnyMessage;
  // Some agents write their log as JSON objects: no messages, and an error as an answer would only be logged again.
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

/** Remembers what an agent prints that is no message: a program that prints only such lines is no ACP agent. */
interface NonProtocolOutput {
  readonly noise: (line: string) => void;
  /** A message came: from now on the agent is one. */
  readonly message: () => void;
  /** The first such line, as long as no message has come. */
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
