import {McpOverAcpProvider, type AnyMessage, type Implementation} from '@agentclientprotocol/sdk/unstable';
import {agentRequests} from './requests.ts';
import type {Connection} from './connection.ts';
import {closeFailure, TransportError} from './errors.ts';
import type {ClientHandlers, WireMessage} from './handlers-interface.ts';
import {clientApp} from './handlers.ts';
import {incomingMessages, createNonProtocolOutput} from './incoming.ts';
import {type Fields, createNormalizer} from './normalize/deviation.ts';
import {ENVELOPE} from './normalize/deviations.ts';
import {readUpdate} from './normalize/update.ts';
import {createOutbox} from './outbox.ts';
import {createSentRequests, withMaskedHeaders, type TraceContext} from './outgoing.ts';
import type {Log, Transport} from './transport.ts';

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

/** Connects to an agent as an ACP v1 client. The transport belongs to the connection from now on. */
export function connect(transport: Transport, handlers: ClientHandlers, options: ConnectOptions): Connection {
  const {log = () => {}} = options;
  const wire = tapped(transport, options);
  const normalize = createNormalizer(log);
  const stray = createNonProtocolOutput(log);
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

  const readable = incomingMessages(transport, {
    line: wire.received,
    update,
    noise: stray.noise,
    broken(line) {
      log('warn', `the agent sent a message that cannot be read: ${line.slice(0, 1000)}`);
      void send({jsonrpc: '2.0', id: null, error: {code: -32700, message: 'Parse error'}});
    },
    correct(message) {
      stray.message();
      requests.received(message);
      return normalize(message, ENVELOPE) as Fields;
    },
  });
  const writable = new WritableStream<AnyMessage>({write: send});
  const mcp = new McpOverAcpProvider();
  const tools = {normalize, log, update, outbox, mcp};
  const connection = clientApp(handlers, tools).connect({readable, writable});
  const asking = {correct: normalize, strayOutput: stray.sample};

  return {
    ...agentRequests(connection.agent, {command: 'the agent', ...options, ...asking}),
    nonProtocolOutput: stray.sample,
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
