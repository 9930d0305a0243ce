import {type Deviation, lostField, type Normalizer} from './deviation.ts';
import {
  chunkContent,
  commands,
  flatUpdate,
  interruption,
  modeId,
  planEntries,
  planId,
  planPath,
  terminalEnv,
} from './session-updates.ts';
import {newerUpdate} from './newer-updates.ts';
import {answerShape, errorShape, missingVersion, stopReason} from './envelope.ts';
import {fromNarrowest, permissionOptions, permissionToolCall} from './permissions.ts';
import {
  toolCallId,
  toolContent,
  toolKind,
  toolStatus,
  toolTitle,
  unknownToolContent,
  withDeletions,
} from './tool-calls.ts';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {UnknownUpdate, Update} from '../../session/events.ts';
import {paramsParser, updates} from '../schema.ts';
import type {Log} from '../transport.ts';
import type {PermissionRequest} from '../handlers-interface.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';

/** For a tool call, at any depth. */
const TOOL_CALL: readonly Deviation[] = [toolCallId, toolStatus, toolKind, toolContent];

type ByName = Readonly<Record<string, readonly Deviation[]>>;

const UPDATES: ByName = {
  user_message_chunk: [chunkContent],
  agent_message_chunk: [chunkContent],
  agent_thought_chunk: [chunkContent],
  tool_call: [toolTitle, ...TOOL_CALL],
  tool_call_update: TOOL_CALL,
  plan: [planEntries],
  plan_update: [planId, planEntries, planPath],
  plan_removed: [planId],
  available_commands_update: [commands],
  current_mode_update: [modeId],
};

const REQUESTS: ByName = {
  'terminal/create': [terminalEnv],
};

const RESULTS: ByName = {
  'session/prompt': [stopReason],
};

/** The deviations that are corrected, by kind of message. */
export const DEVIATIONS = {
  /** For every message before it reaches the SDK. */
  envelope: [missingVersion, answerShape, errorShape],
  /** For the parameters of `session/update`. */
  updateParams: [flatUpdate, interruption],
  /** For an update, by its kind. */
  updates: UPDATES,
  toolCall: TOOL_CALL,
  /** For the parameters of `session/request_permission`; its tool call is corrected, too. */
  permission: [permissionOptions, permissionToolCall],
  /** For the parameters of other requests to the client, by method. */
  requests: REQUESTS,
  /** For a response, by the method of its request. */
  results: RESULTS,
} as const;

interface SessionNotification {
  /** '' if the agent sent no session id. */
  readonly sessionId: acp.SessionId;
  readonly update: Update;
}

/** Parses the parameters of a `session/update`. Nothing is dropped: what matches no schema becomes an `_unknown` update. */
export function readUpdate(params: unknown, normalize: Normalizer, log: Log): SessionNotification {
  const fields = normalize(params, DEVIATIONS.updateParams);
  const {sessionId, update} = isJsonObject(fields) ? fields : {};
  return {sessionId: typeof sessionId === 'string' ? sessionId : '', update: parse(update, normalize, log)};
}

function parse(raw: unknown, normalize: Normalizer, log: Log): Update {
  const kind = isJsonObject(raw) && typeof raw['sessionUpdate'] === 'string' ? raw['sessionUpdate'] : 'none';
  const read = newerUpdate(kind)?.(raw as JsonObject);
  if (read) return read;
  if (!isKnown(kind)) {
    log('warn', `a ${kind} is no update that is known, or does not follow its schema`);
    return unknown(kind, raw);
  }
  const schema = updates[kind];
  let corrected = withDeletions(normalize(raw, UPDATES[kind])) as JsonObject;
  let parsed = schema.safeParse(corrected);
  let lost = parsed.success ? lostField(corrected, parsed.data) : undefined;
  if (lost === 'content') {
    corrected = normalize(corrected, [unknownToolContent]) as JsonObject;
    parsed = schema.safeParse(corrected);
    lost = parsed.success ? lostField(corrected, parsed.data) : undefined;
  }
  if (!parsed.success) {
    log('warn', `a ${kind} does not follow the schema: ${parsed.error.message}`);
    return unknown(kind, raw);
  }
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

/**
 * Parses the parameters of a `session/request_permission`; throws a ZodError if they stay invalid after normalization. `raw` is set if anything was corrected
 * or dropped, so that the user sees what is really approved.
 */
export function readPermission(params: unknown, normalize: Normalizer): PermissionRequest {
  const request = normalize(params, DEVIATIONS.permission);
  const toolCall = isJsonObject(request) ? request['toolCall'] : undefined;
  const corrected = normalize(toolCall, [...TOOL_CALL, unknownToolContent]);
  const read = paramsParser('session/request_permission').parse(
    isJsonObject(request) ? {...request, toolCall: withDeletions(corrected)} : request,
  );
  const parsed = {...read, options: fromNarrowest(read.options)};
  const intact =
    request === params &&
    corrected === toolCall &&
    isJsonObject(corrected) &&
    lostField(corrected, parsed.toolCall) === undefined;
  return intact ? {request: parsed} : {request: parsed, raw: JSON.stringify(params)};
}

/**
 * Parses the parameters of an `elicitation/create`; throws a ZodError if they are invalid. The properties of a form are kept as received: the SDK's schema
 * rejects the whole form for one unknown property, and drops `enumNames`, which MCP servers send.
 */
export function readElicitation(params: unknown): acp.CreateElicitationRequest {
  if (!isJsonObject(params) || params['mode'] !== 'form' || !isJsonObject(params['requestedSchema']))
    return paramsParser('elicitation/create').parse(params);
  const {requestedSchema} = params;
  const parsed = paramsParser('elicitation/create').parse({
    ...params,
    requestedSchema: {...requestedSchema, properties: {}, required: []},
  });
  return {...parsed, requestedSchema};
}
