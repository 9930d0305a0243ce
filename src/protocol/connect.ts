import {McpOverAcpProvider, type AnyMessage, type Implementation} from '@agentclientprotocol/sdk/unstable';
import {agentRequests} from './requests.ts';
import type {ClientOffer, Connection} from './connection.ts';
import {closeFailure, TransportError} from './errors.ts';
import type {ClientHandlers, WireMessage} from './handlers-interface.ts';
import {clientApp} from './handlers.ts';
import {createNormalizer} from './normalize/deviation.ts';
import {DEVIATIONS, readUpdate} from './normalize/messages.ts';
import {createOutbox} from './outbox.ts';
import {createSentRequests, withMaskedHeaders, type TraceContext} from './outgoing.ts';
import type {Log, Transport} from './transport.ts';
import {setImmediate as macrotask} from 'node:timers/promises';
import {withoutMarks} from '../session/transcript/patches.ts';
import {type JsonObject, isJsonObject, jsonOf} from '../text/json.ts';

interface ConnectOptions {
  /** Sent in `initialize`. */
  readonly clientInfo: Implementation;
  /** The agent's command, for the failure `not_acp`. */
  readonly command?: string;
  /** Sent with every request. */
  readonly trace?: TraceContext | undefined;
  /** Called with every line in both directions, as sent. */
  readonly onWire?: (message: WireMessage) => void;
  /** Receives those lines too, at `debug`: `<` from the agent, `>` to it. */
  readonly log?: Log;
}

/** How long an agent that closed its stdin may still write before the connection counts as lost. */
const FINAL_OUTPUT_MS = 1000;

/** Returns a transport of version 1, whichever version the agent is offered. */
export async function translateTransport(
  transport: Transport,
  {protocolVersion}: {readonly protocolVersion?: ClientOffer['protocolVersion'] | undefined},
): Promise<Transport> {
  if (protocolVersion !== 2) return transport;
  const {v2Transport} = await import('./v2/v2-transport.ts');
  return v2Transport(transport);
}

/** Connects to an agent as an ACP v1 client. The transport belongs to the connection from now on. */
export function connect(transport: Transport, handlers: ClientHandlers, options: ConnectOptions): Connection {
  const {log = () => {}} = options;
  const wire = tapped(transport, options);
  const normalize = createNormalizer(log);
  const stray = createNonProtocolOutput(log);
  const strayOutput = stray.sample;
  const outbox = createOutbox();
  const requests = createSentRequests();
  let closing = false;

  function update(params: unknown): void {
    stray.message();
    const {sessionId, update} = readUpdate(params, normalize, log);
    try {
      handlers.sessionUpdate(sessionId, update);
    } catch (error) {
      log('error', `a ${update.sessionUpdate} could not be handled: ${String(error)}`);
    }
  }

  /** Never rejects: the SDK would stop reading, and lose the agent's remaining messages. */
  async function send(message: object): Promise<void> {
    requests.sent(message);
    try {
      await wire.send(message);
      outbox.sent(message);
    } catch (error) {
      log('warn', `the agent no longer reads: ${String(error)}`);
      const lost = new TransportError('it no longer reads its input');
      setTimeout(() => connection.close(lost), FINAL_OUTPUT_MS).unref();
    }
  }

  const ofAgent = transport.isTranslated ? (message: JsonObject) => message : withoutMarks;
  const readable = incomingMessages(transport, {
    line: wire.received,
    update: (params) => update(isJsonObject(params) ? ofAgent(params) : params),
    noise: stray.noise,
    broken(line) {
      log('warn', `the agent sent a message that cannot be read: ${line.slice(0, 1000)}`);
      void send({jsonrpc: '2.0', id: null, error: {code: -32700, message: 'Parse error'}});
    },
    batch: (size) => log('warn', `refused a batch of ${size} messages, which version 1 does not have`),
    correct(message) {
      stray.message();
      requests.received(message);
      return normalize(ofAgent(message), DEVIATIONS.envelope) as JsonObject;
    },
  });
  const writable = new WritableStream<AnyMessage>({write: send});
  const mcp = new McpOverAcpProvider();
  const connection = clientApp(handlers, {normalize, log, update, outbox, mcp}).connect({readable, writable});

  return {
    ...agentRequests(connection.agent, {command: 'the agent', ...options, correct: normalize, strayOutput}),
    nonProtocolOutput: strayOutput,
    sentRequest: (id) => requests.find(id),
    offerMcpServer: (name, handler) => mcp.registerServer(connection.agent, {name, handler}),
    closed: connection.closed.then(() => (closing ? undefined : closeFailure(connection.signal.reason))),
    close() {
      closing = true;
      connection.close();
    },
  };
}

/** Returns a transport that also reports the lines of both directions. */
function tapped(transport: Transport, {log = () => {}, onWire}: Pick<ConnectOptions, 'log' | 'onWire'>) {
  function report(direction: WireMessage['direction'], line: string): void {
    log('debug', `${direction === 'from_agent' ? '<' : '>'} ${line}`);
    onWire?.({direction, at: Date.now(), line});
  }
  return {
    received: (line: string) => report('from_agent', line),
    send(message: object): Promise<void> {
      const line = JSON.stringify(message);
      const shown = withMaskedHeaders(message);
      report('to_agent', shown === message ? line : JSON.stringify(shown));
      return transport.send(line);
    },
  };
}

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
  /** A batch, by the number of its messages. */
  batch(size: number): void;
  /** Corrects a message before the SDK reads it. */
  correct(message: JsonObject): JsonObject;
}

/** How long updates may be handled before keys are read, in milliseconds: one read may return hundreds. */
const SLICE_MS = 12;

/**
 * Returns the agent's messages for the SDK. A `session/update` goes straight to its sink instead. The SDK handles a message some microtasks after receiving
 * it, so each message gets a macrotask before the next line is processed: no update overtakes the request or response before it.
 */
function incomingMessages(transport: Transport, sinks: IncomingSinks): ReadableStream<AnyMessage> {
  const reader = transport.lines.getReader();
  let cancelled = false;

  async function pump(controller: ReadableStreamDefaultController<AnyMessage>): Promise<void> {
    let since = performance.now();
    for (;;) {
      const {value: lines, done} = await reader.read();
      if (done || cancelled) return;
      for (const line of lines) {
        const message = sort(line, sinks);
        if (message !== undefined) controller.enqueue(message);
        else if (performance.now() - since < SLICE_MS) continue;
        await macrotask();
        if (cancelled) return;
        since = performance.now();
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
  const message = jsonOf(line);
  if (message === undefined) {
    if (looksLikeMessage(line)) sinks.broken(line);
    else sinks.noise(line);
    return undefined;
  }
  // The SDK responds to a batch with the error that the protocol requires.
  if (Array.isArray(message)) {
    sinks.batch(message.length);
    return message as unknown as AnyMessage;
  }
  // Some agents log JSON objects: these are not messages, and an error response would only be logged again.
  if (!isJsonObject(message) || !('method' in message || 'id' in message)) {
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
function createNonProtocolOutput(log: Log) {
  let first: string | undefined;
  let isAgent = false;
  return {
    noise: (line: string): void => {
      first ??= line;
      log('info', `the agent printed something that is not a message: ${line.slice(0, 1000)}`);
    },
    /** Called on a message: the program speaks ACP. */
    message(): void {
      isAgent = true;
    },
    /** The first such line, until a message arrives. */
    sample: () => (isAgent ? undefined : first),
  };
}
