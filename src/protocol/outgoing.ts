import {methods} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isJsonObject, type JsonObject} from '../text/json.ts';

/** The W3C trace context, under the names that `_meta` reserves for it ("Extensibility"). */
export interface TraceContext {
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** Version 00, and fields that later versions append. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/**
 * Returns the trace context of `TRACEPARENT`, `TRACESTATE` and `BAGGAGE`; undefined if there is none. An invalid `TRACEPARENT` is ignored together with
 * `TRACESTATE`.
 */
export function traceContext(env: Readonly<Record<string, string | undefined>>): TraceContext | undefined {
  const {TRACEPARENT: traceparent = '', TRACESTATE: tracestate, BAGGAGE: baggage} = env;
  const trace = {
    ...(TRACEPARENT.test(traceparent) && {traceparent, ...(tracestate && {tracestate})}),
    ...(baggage && {baggage}),
  };
  return Object.keys(trace).length > 0 ? trace : undefined;
}

/** Returns the parameters of a request with the trace context added to `_meta`. */
export function withTrace(params: object, trace: TraceContext | undefined): object {
  if (!trace) return params;
  return {...params, _meta: {...trace, ...('_meta' in params ? (params._meta as object) : {})}};
}

/** Replaces a header value wherever a message is logged, recorded or shown. */
const MASK = '[masked]';

/** Returns a message in a form that may be logged, recorded and shown: all header values of `providers/set` are treated as credentials. */
export function withMaskedHeaders(message: object): object {
  if (!isJsonObject(message) || message['method'] !== methods.agent.providers.set) return message;
  const {params} = message;
  if (!isJsonObject(params) || !isJsonObject(params['headers'])) return message;
  const headers = Object.fromEntries(Object.keys(params['headers']).map((name) => [name, MASK]));
  return {...message, params: {...params, headers}};
}

/** An unanswered request to the agent. */
export interface SentRequest {
  readonly method: string;
  /** Its session id. */
  readonly sessionId: acp.SessionId | undefined;
}

/** Tracks unanswered requests: an agent's question to the user may refer to one. */
export function createSentRequests() {
  const waiting = new Map<unknown, SentRequest>();
  return {
    /** Call it for everything passed to the agent. */
    sent(message: object): void {
      if (!('method' in message && 'id' in message) || typeof message.method !== 'string') return;
      const params = 'params' in message && isJsonObject(message.params) ? message.params : {};
      const {sessionId} = params;
      waiting.set(message.id, {
        method: message.method,
        sessionId: typeof sessionId === 'string' ? sessionId : undefined,
      });
    },
    /** Call it for everything received from the agent. */
    received(message: JsonObject): void {
      if (message['method'] === undefined) waiting.delete(message['id']);
    },
    find: (id: unknown) => waiting.get(id),
  };
}
