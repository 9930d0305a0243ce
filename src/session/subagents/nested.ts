import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry} from '../entries.ts';
import type {Update} from '../events.ts';
import {toolCall} from '../selectors.ts';
import type {SessionState} from '../state.ts';
import {isFinished} from '../transcript/tool-calls.ts';
import {isWorking, sessionOf, subagentEntry} from './tree.ts';

/** An update with the session that it belongs to. */
export interface RoutedUpdate {
  readonly sessionId: acp.SessionId;
  readonly update: Update;
}

/**
 * Agents without child sessions send a subagent's updates in their own session, with the tool call that started it (`_meta.claudeCode.parentToolUseId`).
 * Returns the updates as if the subagent had a session of its own: announced, updated, and idle when the call ends.
 */
export function unnested(state: SessionState, routed: RoutedUpdate): readonly RoutedUpdate[] {
  const {update} = routed;
  const call = parentCall(state, '_meta' in update ? update._meta : undefined);
  if (call) {
    const id = nestedId(call.entry.toolCallId);
    const routed = {sessionId: id, update};
    return state.subagents[id]
      ? [routed]
      : [{sessionId: call.sessionId, update: announced(id, call.entry)}, routed];
  }
  const ended = endedCall(update);
  const id = ended && nestedId(ended.toolCallId);
  const entry = id === undefined ? undefined : subagentEntry(state, id);
  if (!ended || !entry || !isWorking(entry)) return [routed];
  const stopReason = ended.status === 'failed' ? 'error' : 'end_turn';
  return [routed, {sessionId: routed.sessionId, update: atRest(entry.sessionId, stopReason)}];
}

/** Returns the subagent's session for a request, for agents that send its tool call instead of a session. */
export function askingSession(
  state: SessionState,
  sessionId: acp.SessionId,
  meta: Readonly<Record<string, unknown>> | null | undefined,
): acp.SessionId {
  const call = parentCall(state, meta);
  const id = call && nestedId(call.entry.toolCallId);
  return id !== undefined && state.subagents[id] ? id : sessionId;
}

/** Ends the messages of such subagents when their turn has ended. */
export function endNested(state: SessionState): readonly RoutedUpdate[] {
  return Object.entries(state.subagents).flatMap(([id, {parent}]) => {
    const entry = id.startsWith(PREFIX) ? subagentEntry(state, id) : undefined;
    return entry && isWorking(entry)
      ? [{sessionId: parent ?? state.sessionId ?? '', update: atRest(id, 'end_turn')}]
      : [];
  });
}

/** Prefix of internal session ids, which are never sent to agents. */
const PREFIX = 'tool-call:';

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
    const entry = toolCall(sessionOf(state, sessionId), id);
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
  if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return undefined;
  const {toolCallId, status} = update;
  return status && isFinished(status) ? {toolCallId, status} : undefined;
}
