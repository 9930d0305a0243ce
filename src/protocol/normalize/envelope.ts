import type {StopReason} from '@agentclientprotocol/sdk/unstable';
import type {Deviation} from './deviation.ts';
import {isJsonObject} from '../../text/json.ts';

/** A message without `"jsonrpc": "2.0"`; the SDK rejects it. */
export const missingVersion: Deviation = {
  name: 'missing-version',
  fix: (message) => (message['jsonrpc'] === '2.0' ? message : {...message, jsonrpc: '2.0'}),
};

/** A response with both `result` and `error`, one of them null, or with neither; the SDK reads it as an invalid request. */
export const answerShape: Deviation = {
  name: 'answer-shape',
  fix(message) {
    if ('method' in message || !('id' in message)) return message;
    const hasError = 'error' in message;
    if (hasError !== 'result' in message) return message;
    const {error, ...success} = message;
    if (!hasError || error === null || error === undefined)
      return {...success, result: success['result'] ?? null};
    const {result: _, ...failure} = message;
    return failure;
  },
};

/** An error that is a string, or has no message, or whose code is not an integer. */
export const errorShape: Deviation = {
  name: 'error-shape',
  fix(message) {
    const {error} = message;
    if (error === undefined || 'method' in message) return message;
    const fields = isJsonObject(error) ? error : {message: error};
    const {code, message: text} = fields;
    if (Number.isInteger(code) && typeof text === 'string') return message;
    const number = Number(code);
    return {
      ...message,
      error: {
        ...fields,
        code: code !== null && Number.isInteger(number) ? number : -32603,
        message: typeof text === 'string' ? text : (JSON.stringify(text) ?? 'no message'),
      },
    };
  },
};

const KNOWN: Readonly<Record<StopReason, true>> = {
  end_turn: true,
  max_tokens: true,
  max_turn_requests: true,
  refusal: true,
  cancelled: true,
};

/** A missing stop reason, or one unknown to the schema: the turn has ended all the same. */
export const stopReason: Deviation = {
  name: 'stop-reason',
  fix(response) {
    const reason = response['stopReason'];
    if (typeof reason === 'string' && Object.hasOwn(KNOWN, reason)) return response;
    return {...response, stopReason: reason === 'canceled' ? 'cancelled' : 'end_turn'};
  },
};
