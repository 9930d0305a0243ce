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
