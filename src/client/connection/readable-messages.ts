import {requestedCallAsMeant, updateAsMeant} from '../../agents/quirks.ts';
import {locateDiffs} from '../../host/files/locate-diffs.ts';
import type {Host, PermissionPrompt} from '../../host/services.ts';
import type {Update, UpdateOf} from '../../session/events.ts';
import {askingSession} from '../../session/subagents/nested.ts';
import type {ServedSession} from './agent-member.ts';

/** An update without its agent's oddities, its diffs with their places, its plan with its text. */
export function readableUpdate({host, sink, options}: ServedSession, update: Update): Update {
  if (update.sessionUpdate === 'plan_update') return withPlanText(update, host);
  return withPlaces(updateAsMeant(update, sink.state().agent?.name), options.cwd);
}

/** A plan that is kept in a file is shown as that file's text, where it may be read. */
function withPlanText(update: UpdateOf<'plan_update'>, host: Pick<Host, 'readPlan'>): Update {
  const {plan} = update;
  const file = plan.type === 'file' ? host.readPlan(plan.uri) : undefined;
  if (!file) return update;
  const content = `\`${file.name}\`\n\n${file.text}`;
  return {...update, plan: {type: 'markdown', planId: plan.planId, content}};
}

/** A permission request without its agent's oddities, its diffs with their places. */
export function readableRequest({sink, options}: ServedSession, asked: PermissionPrompt): PermissionPrompt {
  const {request} = asked;
  const sessionId = askingSession(sink.state(), request.sessionId, request.toolCall._meta);
  const toolCall = requestedCallAsMeant(request.toolCall, sink.state().agent?.name);
  return withPlacesAsked({...asked, request: {...request, sessionId, toolCall}}, options.cwd);
}

function withPlaces(update: Update, cwd: string): Update {
  if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return update;
  const content = locateDiffs(update.content, cwd);
  return content === update.content ? update : ({...update, content} as Update);
}

function withPlacesAsked(asked: PermissionPrompt, cwd: string): PermissionPrompt {
  const {request} = asked;
  const content = locateDiffs(request.toolCall.content, cwd);
  if (content === request.toolCall.content || content === undefined) return asked;
  return {...asked, request: {...request, toolCall: {...request.toolCall, content}}};
}
