import {sanitizeLine} from '../text/sanitize.ts';
import type {SessionEventOf} from './events.ts';
import type {SessionState} from './state.ts';
import {inLine} from './elicitations.ts';
import {findToolCall, upsertToolCall} from './tool-calls.ts';
import {replaceEntry} from './transcript.ts';

/** "Tool Calls", requesting permission: some agents show a call here for the first time. */
export function permissionRequested(
  state: SessionState,
  event: SessionEventOf<'permission_requested'>,
): SessionState {
  const {at, id, request, raw, asker, rule} = event;
  const {toolCallId} = request.toolCall;
  const pending = {
    kind: 'permission' as const,
    id,
    toolCallId,
    options: request.options.map((option) => ({...option, name: sanitizeLine(option.name)})),
    askedAt: at,
    ...(raw === undefined ? {} : {raw}),
    ...(asker === undefined ? {} : {asker}),
    ...(rule === undefined ? {} : {rule: sanitizeLine(rule)}),
  };
  const known = upsertToolCall(state, request.toolCall, at);
  return {...known, pending: inLine([...known.pending.filter((other) => other.id !== id), pending])};
}

/** The request leaves the line, and its tool call tells how it was decided. */
export function permissionResolved(
  state: SessionState,
  event: SessionEventOf<'permission_resolved'>,
): SessionState {
  const pending = state.pending.filter((request) => request.id !== event.id);
  const answered = pending.length === state.pending.length ? state : {...state, pending};
  const index = findToolCall(state, event.toolCallId);
  const entry = state.entries.get(index);
  if (entry?.type !== 'tool_call') return answered;
  return replaceEntry(answered, index, {...entry, permission: event.decision});
}
