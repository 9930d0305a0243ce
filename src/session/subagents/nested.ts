import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry} from '../entries.ts';
import type {Update} from '../events.ts';
import {toolCall} from '../selectors.ts';
import type {SessionState} from '../state.ts';
import {freeId, isAskedWhileLoading, newestCallId, ownCallId, withOwnId} from '../transcript/call-ids.ts';
import {findSubagent, isWorking, sessionOf, subagentEntry} from './tree.ts';
import {isCallUpdate, isFinished} from '../transcript/tool-status.ts';

/** An update with the session that it belongs to. */
export interface RoutedUpdate {
  readonly sessionId: acp.SessionId;
  readonly update: Update;
}

/**
 * Agents without child sessions send a subagent's updates in their own session, with the tool call that started it (`_meta.claudeCode.parentToolUseId`).
 * Returns the updates as if the subagent had a session of its own: announced, updated, and idle when the call ends.
 */
export function unnestUpdate(open: SessionState, sent: RoutedUpdate): readonly RoutedUpdate[] {
  const {replay: state = open} = open;
  const call = parentCall(state, '_meta' in sent.update ? sent.update._meta : undefined);
  if (call) {
    const id = nestedId(call.entry.toolCallId);
    const routed = identified(open, {sessionId: id, update: sent.update});
    return state.subagents[id]
      ? [routed]
      : [{sessionId: call.sessionId, update: announced(id, call.entry)}, routed];
  }
  const routed = identified(open, sent);
  const {update} = routed;
  const ended = endedCall(update);
  const id = ended && nestedId(ended.toolCallId);
  const entry = id === undefined ? undefined : subagentEntry(state, id);
  if (!ended || !entry || !isWorking(entry)) return [routed];
  const stopReason = ended.status === 'failed' ? 'error' : 'end_turn';
  return [routed, {sessionId: routed.sessionId, update: atRest(entry.sessionId, stopReason)}];
}

/** Returns an update of a tool call with the call's own ID, see `ownCallId`. */
function identified(state: SessionState, {sessionId, update}: RoutedUpdate): RoutedUpdate {
  if (!isCallUpdate(update)) return {sessionId, update};
  const message = update.sessionUpdate === 'tool_call' ? 'call' : 'update';
  const {replay = state} = state;
  const root = isAskedWhileLoading(state, update.toolCallId) ? state : replay;
  const session = findSubagent(state, sessionId)?.session ?? (isNested(sessionId) ? undefined : root);
  return {sessionId, update: withOwnId(update, ownCallId(session, message, update))};
}

/**
 * Returns a permission request with its call's own ID and with the session that asks: for agents that send a subagent's tool call instead of its session, that
 * of the subagent.
 */
export function identifyRequest(
  state: SessionState,
  request: acp.RequestPermissionRequest,
): acp.RequestPermissionRequest {
  const {toolCall: asked} = request;
  const {replay = state} = state;
  const parent = parentCall(replay, asked._meta);
  const id = parent && nestedId(parent.entry.toolCallId);
  const sessionId = id !== undefined && replay.subagents[id] ? id : request.sessionId;
  const session = sessionOf(state, sessionId);
  // The calls of a subagent are only replayed while its session loads.
  const isReplayed = replay !== state && session !== state;
  const own = isReplayed ? freeId(session, asked.toolCallId) : ownCallId(session, 'request', asked);
  return {...request, sessionId, toolCall: withOwnId(asked, own)};
}

/** Returns a question with the own ID of the tool call that it is about. */
export function identifyQuestion<Question extends acp.CreateElicitationRequest>(
  state: SessionState,
  question: Question,
): Question {
  const {sessionId, toolCallId} = question as {readonly sessionId?: unknown; readonly toolCallId?: unknown};
  if (typeof toolCallId !== 'string') return question;
  const session = sessionOf(state, typeof sessionId === 'string' ? sessionId : undefined);
  return {...question, toolCallId: newestCallId(session, toolCallId)};
}

/** Ends the messages of such subagents when their turn has ended. */
export function endNestedSubagents(state: SessionState): readonly RoutedUpdate[] {
  return Object.entries(state.subagents).flatMap(([id, {parent}]) => {
    const entry = isNested(id) ? subagentEntry(state, id) : undefined;
    return entry && isWorking(entry)
      ? [{sessionId: parent ?? state.sessionId ?? '', update: atRest(id, 'end_turn')}]
      : [];
  });
}

/** Prefix of internal session ids, which are never sent to agents. */
const PREFIX = 'tool-call:';

function isNested(sessionId: acp.SessionId): boolean {
  return sessionId.startsWith(PREFIX);
}

function nestedId(toolCallId: acp.ToolCallId): acp.SessionId {
  return `${PREFIX}${toolCallId}`;
}

interface ParentCall {
  readonly entry: ToolCallEntry;
  readonly sessionId: acp.SessionId;
}

/** The tool call that started the subagent; undefined if the agent gave the subagent its own session. */
function parentCall(
  state: SessionState,
  meta: Readonly<Record<string, unknown>> | null | undefined,
): ParentCall | undefined {
  const claude = meta?.['claudeCode'];
  const id =
    typeof claude === 'object' && claude !== null && 'parentToolUseId' in claude
      ? claude.parentToolUseId
      : undefined;
  if (typeof id !== 'string') return undefined;
  for (const sessionId of [state.sessionId ?? '', ...Object.keys(state.subagents)]) {
    const session = sessionOf(state, sessionId);
    const entry = toolCall(session, newestCallId(session, id));
    if (entry) return {entry, sessionId};
  }
  return undefined;
}

function announced(sessionId: acp.SessionId, {title, rawInput}: ToolCallEntry): Update {
  const input = typeof rawInput === 'object' && rawInput !== null ? rawInput : {};
  const kind =
    'subagent_type' in input && typeof input.subagent_type === 'string' ? input.subagent_type : undefined;
  return {
    sessionUpdate: 'subagent_update',
    sessionId,
    title,
    ...(kind !== undefined && {description: kind}),
    state: {state: 'running'},
  };
}

function atRest(sessionId: acp.SessionId, stopReason: 'end_turn' | 'error'): Update {
  return {sessionUpdate: 'subagent_update', sessionId, state: {state: 'idle', stopReason}};
}

function endedCall(update: Update): {toolCallId: acp.ToolCallId; status: acp.ToolCallStatus} | undefined {
  if (!isCallUpdate(update)) return undefined;
  const {toolCallId, status} = update;
  return status && isFinished(status) ? {toolCallId, status} : undefined;
}
