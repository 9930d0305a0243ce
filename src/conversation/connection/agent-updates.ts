import {isAbsolute, resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {intendedCall, intendedSession, intendedUpdate} from '../../agents/quirks.ts';
import {locateDiffs} from '../../host/files/locate-diffs.ts';
import type {Host, PermissionPrompt} from '../../host/services.ts';
import type {SessionEvent, Update, UpdateOf} from '../../session/events.ts';
import type {ToolCallEntry} from '../../session/entries.ts';
import {toolCall as knownCall} from '../../session/selectors.ts';
import type {SessionState} from '../../session/state.ts';
import {isJsonObject, jsonOf} from '../../text/json.ts';
import {identifyRequest, unnestUpdate, type RoutedUpdate} from '../../session/subagents/nested.ts';
import {isSubagent, sessionOf} from '../../session/subagents/tree.ts';
import type {ConversationOptions, SessionSink} from '../options.ts';
import {textOfPart} from '../../session/transcript/content.ts';
import {isChange} from '../../session/transcript/diffs.ts';
import {isCallUpdate} from '../../session/transcript/tool-status.ts';
import type {RoutedSession} from './update-router.ts';

/** By provider; undefined for one that is disabled. */
export type ProviderConfigs = Map<acp.ProviderId, acp.SetProviderRequest | undefined>;

/** The session that serves an agent's requests: files, commands, permissions, and the state in which its messages are interpreted. */
export interface ServedSession {
  readonly options: ConversationOptions;
  readonly sink: SessionSink;
  readonly host: Host;
  /** See `ConversationContext`. */
  readonly isWaiting: boolean;
  readonly providers: ProviderConfigs;
}

/** A session that uses an agent. */
export interface AgentMember extends RoutedSession {
  readonly served: ServedSession;
  /** Called when another session has signed in; if the agent was restarted for that, it has to be joined again. */
  readonly signedIn: (how: {readonly hasRestarted: boolean}) => void;
  /** Called when another session has signed out, and possibly deleted the values that the agent was started with. */
  readonly signedOut: (how: {readonly areValuesDeleted: boolean}) => void;
}

/** Delivers an update to its session or subagent; the host is notified of tool calls. `greeting` is that of the agent, see `AgentRun`. */
export function deliverUpdate(
  served: ServedSession,
  routed: RoutedUpdate,
  greeting: string | undefined,
): void {
  const {sink, host} = served;
  const sessionId = intendedSession(routed, sink.state().agent?.name);
  const update = withoutGreeting(readableUpdate(served, routed), greeting);
  for (const each of unnestUpdate(sink.state(), {sessionId, update})) {
    if (each.update.sessionUpdate === 'agent_message_chunk') host.agentSpoke(each.sessionId);
    sink.emit(updateEvent(sink.state(), each));
    if (isCallUpdate(each.update)) host.toolCallUpdated(each.sessionId, each.update);
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
  if (!isCallUpdate(intended)) return intended;
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

/** Returns a permission request without the agent's quirks, with its call's own ID and line numbers for its diffs. */
export function readableRequest(served: ServedSession, prompt: PermissionPrompt): PermissionPrompt {
  const {request} = intendedRequest(served.sink.state(), prompt);
  const toolCall = {...request.toolCall, ...placesOf(served, request.sessionId, request.toolCall)};
  return {...prompt, request: {...request, toolCall}};
}

/** Returns a permission request without the agent's quirks, with its call's own ID, in the state in which it arrives. */
export function intendedRequest(state: SessionState, asked: PermissionPrompt): PermissionPrompt {
  const request = identifyRequest(state, asked.request);
  const known = knownCall(sessionOf(state, request.sessionId), request.toolCall.toolCallId);
  const toolCall = intendedCall(withInput(request.toolCall, known), state.agent?.name);
  return {...asked, request: {...request, toolCall}};
}

/**
 * Returns a request's call with the input of its tool, which some agents send as JSON text in the content of the call until it runs: all such texts, since any
 * may be the input. What says in place of a diff that it changes a file is no input.
 */
function withInput(call: acp.ToolCallUpdate, known: ToolCallEntry | undefined): acp.ToolCallUpdate {
  if (!isBlank(call.rawInput) || !isBlank(known?.rawInput)) return call;
  const content = call.content ?? known?.content ?? [];
  const inputOf = (part: acp.ToolCallContent) =>
    isChange(part) ? undefined : jsonOf(textOfPart(part) ?? '');
  const inputsIn = (parts: readonly acp.ToolCallContent[]) => parts.map(inputOf).filter(isJsonObject);
  const own = inputsIn(content);
  const inputs = own.length > 0 ? own : inputsIn(known?.content ?? []);
  if (inputs.length === 0) return call;
  const rawInput = inputs.length === 1 ? inputs[0] : inputs;
  return {...call, rawInput, content: content.filter((part) => !isJsonObject(inputOf(part)))};
}

function isBlank(rawInput: unknown): boolean {
  return (
    rawInput === undefined ||
    rawInput === null ||
    (isJsonObject(rawInput) && Object.keys(rawInput).length === 0)
  );
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
    ...(parts && {content: locateDiffs(parts, options)}),
    ...(locations && {locations: locations.map(inFolder)}),
  };
}
