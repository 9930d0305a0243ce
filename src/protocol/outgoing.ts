import {methods} from '@agentclientprotocol/sdk/unstable';
import {isFields} from './normalize/deviation.ts';

/** The W3C trace context, under the names that `_meta` reserves for it ("Extensibility"). */
export interface TraceContext {
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** Version 00, and what later versions append. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/**
 * Returns the trace of `TRACEPARENT`, `TRACESTATE` and `BAGGAGE`; undefined if there is none. A `TRACEPARENT` that is not valid does
 * not count, and then neither does `TRACESTATE`.
 */
export function traceContext(env: Readonly<Record<string, string | undefined>>): TraceContext | undefined {
  const {TRACEPARENT: traceparent = '', TRACESTATE: tracestate, BAGGAGE: baggage} = env;
  const trace = {
    ...(TRACEPARENT.test(traceparent) && {traceparent, ...(tracestate && {tracestate})}),
    ...(baggage && {baggage}),
  };
  return Object.keys(trace).length > 0 ? trace : undefined;
}

/** Returns the parameters of a request with the trace in their `_meta`, besides what is there. */
export function withTrace(params: object, trace: TraceContext | undefined): object {
  if (!trace) return params;
  return {...params, _meta: {...trace, ...('_meta' in params ? (params._meta as object) : {})}};
}

/** What stands for a header value wherever a message is logged, recorded or shown. */
const MASK = '[masked]';

/**
 * Returns a message as it may be logged, recorded and shown: the header values of `providers/set` are credentials, whatever the headers
 * are called.
 */
export function withMaskedHeaders(message: object): object {
  if (!isFields(message) || message['method'] !== methods.agent.providers.set) return message;
  const {params} = message;
  if (!isFields(params) || !isFields(params['headers'])) return message;
  const headers = Object.fromEntries(Object.keys(params['headers']).map((name) => [name, MASK]));
  return {...message, params: {...params, headers}};
}
