import type * as acp from '@agentclientprotocol/sdk/unstable';
import {asksForOther} from './changed-request.ts';
import {holdsCommand} from './command-fields.ts';
import {inAnsweringOrder} from './elicitations.ts';
import type {ToolCallEntry} from '../entries.ts';
import type {SessionEventOf} from '../events.ts';
import type {OfferedAnswers, PendingPermission, PendingRequest, SessionState} from '../state.ts';
import {changeSession, findSubagent, isSubagent, sessionOf} from '../subagents/tree.ts';
import {addChanges, isChange} from '../transcript/diffs.ts';
import {isOfRequest} from '../transcript/patches.ts';
import {
  findToolCall,
  newToolCall,
  patchToolCall,
  upsertToolCall,
  waitingTime,
} from '../transcript/tool-calls.ts';
import {replaceEntry} from '../transcript/transcript.ts';
import {textOfPart} from '../transcript/content.ts';

/** "Tool Calls", requesting permission: some agents show a call here for the first time. */
export function permissionRequested(
  state: SessionState,
  event: SessionEventOf<'permission_requested'>,
): SessionState {
  const {at, id, request, raw, asker, calledBy, isDoneHere, isOfHost, askedBy, outdated} = event;
  const {toolCall} = request;
  const {toolCallId} = toolCall;
  const subagent = isSubagent(state, request.sessionId) ? request.sessionId : undefined;
  const isFixed = isOfHost && findToolCall(sessionOf(state, subagent), toolCallId) !== -1;
  const known = changeSession(state, subagent, (session) =>
    isFixed ? session : upsertToolCall(session, withoutWords(toolCall), at),
  );
  const session = sessionOf(known, subagent);
  const entry = session.entries.get(findToolCall(session, toolCallId)) as ToolCallEntry;
  const pending: PendingPermission = {
    kind: 'permission',
    id,
    toolCallId,
    call: isFixed ? {...entry, ...newToolCall(toolCall, at)} : askedFor(entry, toolCall),
    changes: 0,
    options: request.options,
    askedAt: at,
    ...(raw === undefined ? {} : {raw}),
    ...(asker === undefined ? {} : {asker}),
    ...(calledBy === undefined ? {} : {calledBy}),
    ...(isDoneHere && {isDoneHere}),
    ...(isFixed && {isFixed}),
    ...(subagent === undefined ? {} : {subagent}),
    ...(askedBy === undefined ? {} : {askedBy}),
    ...offeredIn(event),
    ...(outdated === undefined ? {} : {outdated}),
  };
  return {
    ...known,
    pending: inAnsweringOrder([...known.pending.filter((other) => other.id !== id), pending]),
  };
}

function offeredIn({rule, noRule, covers}: OfferedAnswers): OfferedAnswers {
  return {
    ...(rule === undefined ? {} : {rule}),
    ...(noRule === undefined ? {} : {noRule}),
    ...(covers === undefined ? {} : {covers}),
  };
}

/** Changes that were approved before stay in the call, but are not part of the new request, which shows its own words besides. */
function askedFor(entry: ToolCallEntry, asked: acp.ToolCallUpdate): ToolCallEntry {
  const words = (asked.content ?? []).filter(isOfRequest);
  const own = entry.approvedChanges && withoutWords(asked).content;
  return {...entry, content: [...words, ...(own ?? entry.content)]};
}

/** Returns the tool call of a request without what the request says itself: that is not part of the call. */
function withoutWords(asked: acp.ToolCallUpdate): acp.ToolCallUpdate {
  const {content, ...others} = asked;
  if (!content?.some(isOfRequest)) return asked;
  const own = content.filter((part) => !isOfRequest(part));
  return own.length === 0 ? others : {...others, content: own};
}

/** Applies an update of a tool call to its pending requests; what was offered with them no longer applies. */
export function toolCallUpdated(state: SessionState, update: acp.ToolCallUpdate, at: number): SessionState {
  const updated = upsertToolCall(state, update, at);
  const pending = updated.pending.map((request) => {
    if (request.kind !== 'permission' || request.isFixed) return request;
    if (request.toolCallId !== update.toolCallId) return request;
    if (request.subagent !== undefined && request.subagent !== state.sessionId) return request;
    const call = {...request.call, ...patchToolCall(request.call, update, at)};
    if (!asksForOther(request.call, call)) return request;
    const {askedBy: _a, rule: _r, noRule: _n, covers: _c, outdated: _o, ...rest} = request;
    return {...rest, call, changes: request.changes + 1};
  });
  return pending.every((request, index) => request === updated.pending[index])
    ? updated
    : {...updated, pending};
}

/** Sets what is offered after a request was changed. */
export function permissionRuleOffered(
  state: SessionState,
  event: SessionEventOf<'permission_rule_offered'>,
): SessionState {
  const asked = state.pending.find(({id}) => id === event.id);
  if (asked?.kind !== 'permission') return state;
  const now = offeredIn(event);
  // What looks the same must not take away what was read.
  const isSame = JSON.stringify(shownOf(now)) === JSON.stringify(shownOf(asked));
  return changePermission(state, event.id, (request) => ({
    ...now,
    changes: request.changes + (isSame ? 0 : 1),
  }));
}

/** What an answer would allow. Options that cover nothing look as they do while that is not known; why there is no rule changes no answer. */
function shownOf(offered: OfferedAnswers): OfferedAnswers {
  const {noRule: _, ...shown} = offeredIn(offered);
  return shown.covers?.some((what) => what !== '') ? shown : {...shown, covers: []};
}

/** The request shows outdated files, and stays pending. */
export function permissionOutdated(
  state: SessionState,
  {id, outdated}: SessionEventOf<'permission_outdated'>,
): SessionState {
  return changePermission(state, id, (request) => ({outdated, changes: request.changes + 1}));
}

function changePermission(
  state: SessionState,
  id: string,
  change: (request: PendingPermission) => Partial<PendingPermission>,
): SessionState {
  const pending = state.pending.map((request) =>
    request.id === id && request.kind === 'permission' ? {...request, ...change(request)} : request,
  );
  return {...state, pending};
}

/** Removes the request; its tool call gets the decision and keeps the approved changes. */
export function permissionResolved(
  state: SessionState,
  event: SessionEventOf<'permission_resolved'>,
): SessionState {
  const request = state.pending.find(({id}) => id === event.id);
  const pending = state.pending.filter((other) => other !== request);
  const answered = request === undefined ? state : {...state, pending};
  const {subagent = event.subagent} = request ?? {};
  // The subagent may belong to a session that failed to load.
  if (subagent !== undefined && !findSubagent(answered, subagent)) return answered;
  return changeSession(answered, subagent, (session) => callDecided(session, request, event));
}

function callDecided(
  state: SessionState,
  request: PendingRequest | undefined,
  {toolCallId, decision, at}: SessionEventOf<'permission_resolved'>,
): SessionState {
  const index = findToolCall(state, toolCallId);
  const entry = state.entries.get(index);
  if (entry?.type !== 'tool_call') return state;
  const shown = request?.kind === 'permission' ? request.call : entry;
  const isAllowed = decision.outcome === 'allowed';
  const approved = isAllowed ? shown.content.filter(isChange) : [];
  return replaceEntry(state, index, {
    ...entry,
    ...(isAllowed && request !== undefined && {content: withoutExplanation(entry, shown)}),
    permission: decision,
    ...waitingTime(entry, request, at),
    ...(approved.length > 0 && {approvedChanges: addChanges(entry.approvedChanges ?? [], approved)}),
  });
}

/** Returns the content of a call without what its request says about a command: below the command it would look like its output. */
function withoutExplanation({content}: ToolCallEntry, call: ToolCallEntry): readonly acp.ToolCallContent[] {
  if (!holdsCommand(call)) return content;
  return content.filter(
    (part) => textOfPart(part) === undefined || isChange(part) || !call.content.includes(part),
  );
}
