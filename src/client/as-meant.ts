import {quirksOf} from '../agents/quirks.ts';
import {placeDiffs} from '../host/place-diffs.ts';
import type {AskedPermission, Host} from '../host/services.ts';
import type {Update, UpdateOf} from '../session/events.ts';
import type {ClientContext} from './context.ts';

/** An update without its agent's oddities, its diffs with their places, its plan with its text. */
export function updateAsMeant({host, link, options}: ClientContext, update: Update): Update {
  if (update.sessionUpdate === 'plan_update') return withPlanText(update, host);
  return withPlaces(asMeant(update, link.state().agent?.name), options.cwd);
}

/** A plan that is kept in a file is shown as that file's text, where it may be read. */
function withPlanText(update: UpdateOf<'plan_update'>, host: Pick<Host, 'readPlan'>): Update {
  const {plan} = update;
  const file = plan.type === 'file' ? host.readPlan(plan.uri) : undefined;
  if (!file) return update;
  const content = `\`${file.name}\`\n\n${file.text}`;
  return {...update, plan: {type: 'markdown', planId: plan.planId, content}};
}

/** The same for a request. */
export function askedAsMeant({link, options}: ClientContext, asked: AskedPermission): AskedPermission {
  return withPlacesAsked(withCommand(asked, link.state().agent?.name), options.cwd);
}

const SEVERITIES = {Info: 'info', Warning: 'warning', Error: 'error'} as const;

/** A message that only tells the mode or a notice becomes what tells it. */
function asMeant(update: Update, agentName: string | undefined): Update {
  if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') return update;
  const {modeAsMessage, noticesAsMessages} = quirksOf(agentName);
  const {text} = update.content;
  const currentModeId = modeAsMessage && /^\[MODE_UPDATE\] (\S+)$/.exec(text)?.[1];
  if (currentModeId) return {sessionUpdate: 'current_mode_update', currentModeId};
  const [, name, title] = (noticesAsMessages && /^(Info|Warning|Error): (\S[^]*)$/.exec(text)) || [];
  if (name === undefined || title === undefined) return update;
  return {sessionUpdate: 'notice', severity: SEVERITIES[name as keyof typeof SEVERITIES], title};
}

function withPlaces(update: Update, cwd: string): Update {
  if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return update;
  const content = placeDiffs(update.content, cwd);
  return content === update.content ? update : ({...update, content} as Update);
}

function withPlacesAsked(asked: AskedPermission, cwd: string): AskedPermission {
  const {request} = asked;
  const content = placeDiffs(request.toolCall.content, cwd);
  if (content === request.toolCall.content || content === undefined) return asked;
  return {...asked, request: {...request, toolCall: {...request.toolCall, content}}};
}

/** Rules of commands need the command, wherever an agent tells it. */
function withCommand(asked: AskedPermission, agentName: string | undefined): AskedPermission {
  const {request} = asked;
  const {kind, title, rawInput} = request.toolCall;
  const isUntold = kind === 'execute' && typeof title === 'string' && rawInput === undefined;
  if (!isUntold || !quirksOf(agentName).commandAsTitle) return asked;
  return {...asked, request: {...request, toolCall: {...request.toolCall, rawInput: {command: title}}}};
}
