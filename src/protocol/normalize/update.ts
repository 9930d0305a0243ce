import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {UnknownUpdate, Update} from '../../session/events.ts';
import {updates} from '../schema.ts';
import type {Log} from '../transport.ts';
import {isFields, type Fields, lostField, type Normalizer} from './deviation.ts';
import {UPDATE_PARAMS, UPDATES} from './deviations.ts';
import {unknownToolContent} from './tool-calls.ts';

interface SessionNotification {
  /** '' if the agent sent no session id. */
  readonly sessionId: acp.SessionId;
  readonly update: Update;
}

/** Parses the parameters of a `session/update`. Nothing is dropped: what matches no schema becomes an `_unknown` update. */
export function readUpdate(params: unknown, normalize: Normalizer, log: Log): SessionNotification {
  const fields = normalize(params, UPDATE_PARAMS);
  const {sessionId, update} = isFields(fields) ? fields : {};
  return {sessionId: typeof sessionId === 'string' ? sessionId : '', update: parse(update, normalize, log)};
}

function parse(raw: unknown, normalize: Normalizer, log: Log): Update {
  const kind = isFields(raw) && typeof raw['sessionUpdate'] === 'string' ? raw['sessionUpdate'] : 'none';
  if (!isKnown(kind)) return unknown(kind, raw);
  const schema = updates[kind];
  let corrected = normalize(raw, UPDATES[kind]) as Fields;
  let parsed = schema.safeParse(corrected);
  if (parsed.success && lostField(corrected, parsed.data) === 'content') {
    corrected = normalize(corrected, [unknownToolContent]) as Fields;
    parsed = schema.safeParse(corrected);
  }
  if (!parsed.success) {
    log('warn', `a ${kind} does not follow the schema: ${parsed.error.message}`);
    return unknown(kind, raw);
  }
  const lost = lostField(corrected, parsed.data);
  if (lost !== undefined)
    log('warn', `a ${kind} does not follow the schema: not all of "${lost}" can be read`);
  return {sessionUpdate: kind, ...parsed.data} as Update;
}

function isKnown(kind: string): kind is keyof typeof updates {
  return Object.hasOwn(updates, kind);
}

function unknown(kind: string, raw: unknown): UnknownUpdate {
  return {sessionUpdate: '_unknown', kind, json: JSON.stringify(raw) ?? 'nothing'};
}
