import {toolCall} from '../../session/selectors.ts';
import type {SessionEventOf, Update, UpdateOf} from '../../session/events.ts';
import type {SessionState} from '../../session/state.ts';
import {agentOf, costOf, locationOf} from '../forms.ts';
import type {StreamEvent} from '../schema.ts';
import type {Step} from './format.ts';

type Without<T, Keys extends string> = T extends unknown ? Omit<T, Keys> : never;
/** An event less what all have. */
export type EventBody = Without<StreamEvent, 'v' | 'sessionId'>;

/** The event that a step is on the stream; undefined for those that say nothing to a reader. */
export function streamEventOf({event, state, part}: Step): EventBody | undefined {
  switch (event.type) {
    case 'session_opened':
      return {type: 'init', cwd: state.cwd, agent: agentOf(state)};
    case 'session_update':
      return part ? {type: 'text', ...part} : updateEvent(event.update);
    case 'permission_resolved':
      return permissionEvent(event, state);
    case 'elicitation_refused':
      return {type: 'notice', level: 'warning', text: event.text, source: 'client'};
    case 'notice':
      return {type: 'notice', level: event.level, text: event.text, source: 'client'};
    case 'mode_set':
      return {type: 'other', kind: 'mode_set', data: {modeId: event.modeId}};
    case 'model_set':
      return {type: 'other', kind: 'model_set', data: {modelId: event.modelId}};
    case 'config_options_set':
      return {type: 'other', kind: 'config_options_set', data: {configOptions: event.configOptions}};
    case 'connection_changed':
    case 'agent_initialized':
    case 'auth_status_told':
    case 'replay_started':
    case 'replay_dropped':
    case 'renamed':
    case 'imported':
    case 'folder_added':
    case 'prompt_started':
    case 'prompt_steered':
    case 'prompt_ended':
    case 'cancel_requested':
    case 'permission_requested':
    case 'permission_rule_offered':
    case 'elicitation_requested':
    case 'elicitation_resolved':
    case 'elicitation_completed':
    case 'terminal_created':
    case 'terminal_output':
    case 'terminal_drawn':
    case 'terminal_waits':
    case 'terminal_exited':
    case 'terminal_released':
      return undefined;
  }
}

/** An update that is no part of the answer. Whatever has no form of its own is `other`, as it came: nothing is lost. */
function updateEvent(update: Update): EventBody {
  switch (update.sessionUpdate) {
    case 'agent_thought_chunk':
      return update.content.type === 'text'
        ? {type: 'thought', messageId: update.messageId ?? null, text: update.content.text}
        : other(update);
    case 'tool_call':
      return toolCallEvent(update);
    case 'tool_call_update':
      return toolCallUpdateEvent(update);
    case 'plan':
      return {type: 'plan', planId: '', entries: update.entries.map(planEntry)};
    case 'plan_update':
      return update.plan.type === 'items'
        ? {type: 'plan', planId: update.plan.planId, entries: update.plan.entries.map(planEntry)}
        : other(update);
    case 'usage_update':
      return {type: 'usage', used: update.used, size: update.size, cost: costOf(update.cost)};
    case 'notice':
      return noticeEvent(update);
    case '_unknown':
      return {type: 'other', kind: update.kind, data: parsed(update.json)};
    default:
      return other(update);
  }
}

function toolCallEvent(update: UpdateOf<'tool_call'>): EventBody {
  return {
    type: 'tool_call',
    toolCallId: update.toolCallId,
    title: update.title,
    name: update.name ?? null,
    kind: update.kind ?? 'other',
    status: update.status ?? 'pending',
    content: update.content ?? [],
    locations: (update.locations ?? []).map(locationOf),
    rawInput: update.rawInput ?? null,
    rawOutput: update.rawOutput ?? null,
  };
}

/** Only what the update changes. */
function toolCallUpdateEvent(update: UpdateOf<'tool_call_update'>): EventBody {
  const {title, name, kind, status, content, locations, rawInput, rawOutput} = update;
  return {
    type: 'tool_call_update',
    toolCallId: update.toolCallId,
    ...(isGiven(title) && {title}),
    ...(isGiven(name) && {name}),
    ...(isGiven(kind) && {kind}),
    ...(isGiven(status) && {status}),
    ...(isGiven(content) && {content}),
    ...(isGiven(locations) && {locations: locations.map(locationOf)}),
    ...(rawInput !== undefined && {rawInput}),
    ...(rawOutput !== undefined && {rawOutput}),
  };
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function permissionEvent(event: SessionEventOf<'permission_resolved'>, state: SessionState): EventBody {
  const {outcome, option, by} = event.decision;
  const title = toolCall(state, event.toolCallId)?.title ?? null;
  return {type: 'permission', toolCallId: event.toolCallId, title, outcome, option: option ?? null, by};
}

function planEntry({content, priority, status}: UpdateOf<'plan'>['entries'][number]) {
  return {content, priority, status};
}

function noticeEvent({severity, title, description}: UpdateOf<'notice'>): EventBody {
  const level = severity === 'warning' || severity === 'error' ? severity : 'info';
  return {type: 'notice', level, text: description ? `${title}\n${description}` : title, source: 'agent'};
}

function other(update: Update): EventBody {
  const {sessionUpdate, ...data} = update;
  return {type: 'other', kind: sessionUpdate, data};
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
