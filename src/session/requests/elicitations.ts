import type {ElicitationEntry, ToolCallEntry} from '../entries.ts';
import type {SessionEventOf} from '../events.ts';
import {isOpenedLink, toolCall} from '../selectors.ts';
import type {PendingElicitation, PendingRequest, SessionState} from '../state.ts';
import {subagentAsker} from '../subagents/names.ts';
import {changeSession, isSubagent} from '../subagents/tree.ts';
import {findToolCall, waitingTime} from '../transcript/tool-calls.ts';
import {appendEntry, replaceEntry} from '../transcript/transcript.ts';

/** "Elicitation": adds a pending question. Opened URLs stay behind all questions. */
export function elicitationRequested(
  state: SessionState,
  {id, asked, at}: SessionEventOf<'elicitation_requested'>,
): SessionState {
  const base = {
    id,
    askedAt: at,
    message: asked.message,
    toolCallId: asked.toolCallId,
    ...(asked.asker !== undefined && {asker: asked.asker}),
    ...(asked.isForNone && {isForNone: true}),
    ...(asked.sessionId !== undefined && isSubagent(state, asked.sessionId) && {subagent: asked.sessionId}),
  };
  const pending: PendingElicitation =
    asked.mode === 'url'
      ? {...base, kind: 'url', link: asked.link, isOpened: false}
      : {...base, kind: 'form', title: asked.title, description: asked.description, fields: asked.fields};
  const marked = changeSession(state, pending.subagent, (session) =>
    callChanged(session, pending, () => ({isAsked: true})),
  );
  return {...marked, pending: inAnsweringOrder([...without(state, id), pending])};
}

/** Sorts pending requests: opened URLs come after everything that still has to be answered. */
export function inAnsweringOrder(pending: readonly PendingRequest[]): readonly PendingRequest[] {
  return [...pending.filter((request) => !isOpenedLink(request)), ...pending.filter(isOpenedLink)];
}

/** The request was answered or is obsolete; question and answer stay in the transcript. */
export function elicitationResolved(
  state: SessionState,
  {id, outcome, answers, at}: SessionEventOf<'elicitation_resolved'>,
): SessionState {
  const request = state.pending.find((request) => request.id === id);
  if (!request || request.kind === 'permission') return state;
  const {subagent} = request;
  const asker = subagent === undefined ? request.asker : subagentAsker(state, subagent);
  const answered = changeSession(state, subagent, (session) =>
    answeredIn(session, request, {asker, outcome, answers, at}),
  );
  const waits = request.kind === 'url' && outcome === 'accepted';
  const rest = without(state, id);
  return {...answered, pending: waits ? inAnsweringOrder([...rest, {...request, isOpened: true}]) : rest};
}

type Answered = Pick<SessionEventOf<'elicitation_resolved'>, 'outcome' | 'answers' | 'at'> &
  Pick<ElicitationEntry, 'asker'>;

/** Adds question and answer to the transcript of the asking session. */
function answeredIn(
  state: SessionState,
  request: PendingElicitation,
  {asker, outcome, answers, at}: Answered,
): SessionState {
  const noted = appendEntry(
    state,
    {
      type: 'elicitation',
      mode: request.kind,
      message: request.message,
      asker,
      toolCallId: request.toolCallId,
      about: request.toolCallId === undefined ? undefined : toolCall(state, request.toolCallId)?.title,
      url: request.kind === 'url' ? request.link.href : undefined,
      answers,
      outcome,
    },
    at,
  );
  return callChanged(noted, request, (call) => waitingTime(call, request, at));
}

/** Changes the tool call that a question is about, if there is one. */
function callChanged(
  state: SessionState,
  {toolCallId}: PendingElicitation,
  change: (call: ToolCallEntry) => Partial<ToolCallEntry>,
): SessionState {
  const index = toolCallId === undefined ? -1 : findToolCall(state, toolCallId);
  const call = state.entries.get(index);
  return call?.type === 'tool_call' ? replaceEntry(state, index, {...call, ...change(call)}) : state;
}

/** Removes an opened URL that is finished, or that the user stopped waiting for. */
export function elicitationCompleted(
  state: SessionState,
  {id}: SessionEventOf<'elicitation_completed'>,
): SessionState {
  const pending = without(state, id);
  return pending.length === state.pending.length ? state : {...state, pending};
}

function without({pending}: SessionState, id: string): readonly PendingRequest[] {
  return pending.filter((request) => request.id !== id);
}
