import {MessageTooLargeError, RequestError} from '@agentclientprotocol/sdk/unstable';
import type {Failure} from '../shared/failure.ts';
import type {AuthMethod} from '../shared/authentication.ts';
import {isJsonObject, jsonOf} from '../text/json.ts';

const AUTH_REQUIRED = -32000;
const UNSUPPORTED_VERSION = -32022;

/** The request that failed, and the agent's known sign-in methods. */
interface FailedRequest {
  readonly method: string;
  readonly authMethods: readonly AuthMethod[];
}

/** Returns why a request to the agent failed: an error response, an invalid result, or a closed connection. */
export function requestFailure(error: unknown, {method, authMethods}: FailedRequest): Failure {
  if (!(error instanceof RequestError)) return closeFailure(error);
  const {code, data} = error;
  const {message, detail} = wording(error.message, data);
  if (code === AUTH_REQUIRED) {
    const problem = detail ?? (/^authentication required$/i.test(message) ? undefined : message);
    return {kind: 'authentication_required', methods: authMethods, ...(problem !== undefined && {problem})};
  }
  if (code === UNSUPPORTED_VERSION && isJsonObject(data) && Array.isArray(data['supported']))
    return {kind: 'protocol_version', ours: 1, theirs: Number(data['supported'][0])};
  const retrySeconds = retrySecondsIn(data) ?? retrySecondsIn(jsonOf(error.message));
  return {
    kind: 'agent_error',
    method,
    code,
    message,
    ...(detail !== undefined && {detail}),
    ...(retrySeconds !== undefined && {retrySeconds}),
  };
}

/** Returns why a connection ended that the client did not close. */
export function closeFailure(reason: unknown): Failure {
  if (reason instanceof MessageTooLargeError)
    return {kind: 'message_too_large', limitBytes: reason.maxMessageBytes};
  const lost = {kind: 'connection_lost', exit: undefined, stderrTail: ''} as const;
  return reason instanceof TransportError ? {...lost, problem: reason.message} : lost;
}

/** The transport failed, other than by the agent's exit. */
export class TransportError extends Error {}

/** Returns message and detail. Agents put the cause into `data`, `data.details` and similar fields, or send the JSON of a service as their message. */
function wording(message: string, data: unknown): {message: string; detail?: string} {
  const service = serviceMessage(message);
  if (service !== undefined) return {message: service, detail: message};
  if (typeof data === 'string') return {message, detail: data};
  if (!isJsonObject(data)) return {message};
  const detail = [data['details'], data['message'], data['error']].find((text) => typeof text === 'string');
  if (typeof detail === 'string') return {message, detail};
  const isAll = STANDARD_WORDS.test(message) && Object.keys(data).length > 0;
  return isAll ? {message, detail: JSON.stringify(data)} : {message};
}

/** Messages without a cause: after these, even technical fields of `data` are worth showing. */
const STANDARD_WORDS = /^(?:(?:internal |server |unknown )?error|invalid (?:params|request))\.?$/i;

/** Returns the `error.message` of a service's response that the agent sent as its own message. */
function serviceMessage(message: string): string | undefined {
  const sent = jsonOf(message);
  const error = isJsonObject(sent) ? sent['error'] : undefined;
  const text = isJsonObject(error) ? error['message'] : error;
  return typeof text === 'string' ? text : undefined;
}

/** Fields in which services say how long to wait, without capitals, `-` and `_`. */
const RETRY_FIELDS: ReadonlySet<string> = new Set([
  'retryafter',
  'retrydelay',
  'retryafterseconds',
  'resetsinseconds',
]);
/** How deep they are looked for. */
const RETRY_DEPTH = 6;

/** Returns the time after which a service wants to be asked again: the header `retry-after`, or the `retryDelay` of Google's errors, `34.07s`. */
function retrySecondsIn(value: unknown, depth = 0): number | undefined {
  if (typeof value !== 'object' || value === null || depth > RETRY_DEPTH) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const isField = RETRY_FIELDS.has(name.toLowerCase().replaceAll(/[-_]/g, ''));
    const seconds = isField ? secondsOf(part) : retrySecondsIn(part, depth + 1);
    if (seconds !== undefined) return seconds;
  }
  return undefined;
}

function secondsOf(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  const [, seconds] = (typeof text === 'string' && /^(\d{1,9}(?:\.\d+)?)s?$/.exec(text)) || [];
  return seconds === undefined ? undefined : Number(seconds);
}
