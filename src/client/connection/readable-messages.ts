import {isAbsolute, resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {intendedCall, intendedUpdate} from '../../agents/quirks.ts';
import {locateDiffs} from '../../host/files/locate-diffs.ts';
import type {Host, PermissionPrompt} from '../../host/services.ts';
import type {Update, UpdateOf} from '../../session/events.ts';
import {askingSession, type RoutedUpdate} from '../../session/subagents/nested.ts';
import {isSubagent, sessionOf} from '../../session/subagents/tree.ts';
import type {ServedSession} from './agent-member.ts';

/** Returns an update without the agent's quirks, with line numbers for its diffs and text for its plan. */
export function readableUpdate(served: ServedSession, {sessionId, update}: RoutedUpdate): Update {
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
