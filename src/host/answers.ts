import type {Refusal} from './services.ts';

/** The JSON-RPC codes that the agent gets. Never -32000: that means authentication. */
export const codes = {notFound: -32002, invalidParams: -32602, internal: -32603, cancelled: -32800} as const;

export function accept<T>(value: T): {readonly ok: true; readonly value: T} {
  return {ok: true, value};
}

export function refuse(code: keyof typeof codes, message: string, data?: unknown): Refusal {
  return {ok: false, code: codes[code], message, ...(data !== undefined && {data})};
}

/** A person or the policy said no. */
export function denied(message: string): Refusal {
  return refuse('internal', message, {reason: 'denied'});
}
