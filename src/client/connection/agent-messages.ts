import {isAbsolute, resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {intendedCall, intendedSession, intendedUpdate} from '../../agents/quirks.ts';
import {locateDiffs} from '../../host/files/locate-diffs.ts';
import type {Host, PermissionPrompt} from '../../host/services.ts';
import type {SessionEvent, Update, UpdateOf} from '../../session/events.ts';
import type {SessionState} from '../../session/state.ts';
import {askingSession, unnested, type RoutedUpdate} from '../../session/subagents/nested.ts';
import {isSubagent, sessionOf} from '../../session/subagents/tree.ts';
import type {ServedSession} from './update-router.ts';

/** Delivers an update to its session or subagent; the host is notified of tool calls. `greeting` is that of the agent, see `AgentRun`. */
export function deliverUpdate(
  served: ServedSession,
  routed: RoutedUpdate,
  greeting: string | undefined,
): void {
  const {sink, host} = served;
  const sessionId = intendedSession(routed, sink.state().agent?.name);
  const update = withoutGreeting(readableUpdate(served, routed), greeting);
  const {replay = sink.state()} = sink.state();
  for (const each of unnested(replay, {sessionId, update})) {
    sink.emit(updateEvent(sink.state(), each));
    if (each.update.sessionUpdate === 'tool_call' || each.update.sessionUpdate === 'tool_call_update')
      host.toolCallUpdated(each.sessionId, each.update);
  }
}

/** Turns the agent's greeting into a notice: it answers no prompt, even if it arrives after the first one. */
function withoutGreeting(update: Update, greeting: string | undefined): Update {
  const isGreeting =
    greeting !== undefined &&
    update.sessionUpdate === 'agent_message_chunk' &&
    update.content.type === 'text' &&
    update.content.text === greeting;
  return isGreeting ? {sessionUpdate: 'notice', severity: 'info', title: greeting.trim()} : update;
}

/** Returns the event of an update: for a subagent if the session is one, else for the session itself. */
export function updateEvent(
  state: SessionState,
  {sessionId, update}: {readonly sessionId: string; readonly update: Update},
): SessionEvent {
  const at = Date.now();
  return isSubagent(state, sessionId)
    ? {type: 'subagent_updated', sessionId, update, at}
    : {type: 'session_update', update, at};
}

/** Returns an update without the agent's quirks, with line numbers for its diffs and text for its plan. */
function readableUpdate(served: ServedSession, {sessionId, update}: RoutedUpdate): Update {
  const {host, sink} = served;
  if (update.sessionUpdate === 'plan_update') return withPlanText(update, host);
  const intended = intendedUpdate(update, sink.state().agent?.name);
  if (intended.sessionUpdate !== 'tool_call' && intended.sessionUpdate !== 'tool_call_update')
    return intended;
  return {...intended, ...placesOf(served, sessionId, intended)} as Update;
}

/** Replaces a plan in a file by the file's text, if it may be read. */
function withPlanText(update: UpdateOf<'plan_update'>, host: Pick<Host, 'readPlan'>): Update {
  const {plan} = update;
  const file = plan.type === 'file' ? host.readPlan(plan.uri) : undefined;
  if (!file) return update;
  const content = `\`${file.name}\`\n\n${file.text}`;
  return {...update, plan: {type: 'markdown', planId: plan.planId, content}};
}

/** Returns a permission request without the agent's quirks, with line numbers for its diffs. */
export function readableRequest(served: ServedSession, asked: PermissionPrompt): PermissionPrompt {
  const {request} = asked;
  const {sink} = served;
  const {replay = sink.state()} = sink.state();
  const sessionId = askingSession(replay, request.sessionId, request.toolCall._meta);
  const intended = intendedCall(request.toolCall, sink.state().agent?.name);
  const toolCall = {...intended, ...placesOf(served, sessionId, intended)};
  return {...asked, request: {...request, sessionId, toolCall}};
}

type Places = Pick<acp.ToolCallUpdate, 'content' | 'locations'>;

/** Locates the diffs of a tool call in their files; relative paths of a subagent refer to its own folder. */
function placesOf(
  {sink, options}: ServedSession,
  sessionId: acp.SessionId,
  {content, locations}: Places,
): Places {
  const state = sink.state();
  const own = isSubagent(state, sessionId) ? sessionOf(state, sessionId).cwd : undefined;
  const inFolder = <Part extends {readonly path: string}>(part: Part): Part =>
    own === undefined || isAbsolute(part.path) ? part : {...part, path: resolve(own, part.path)};
  const parts = content?.map((part) => (part.type === 'diff' ? inFolder(part) : part));
  return {
    ...(parts && {content: locateDiffs(parts, options.cwd)}),
    ...(locations && {locations: locations.map(inFolder)}),
  };
}
