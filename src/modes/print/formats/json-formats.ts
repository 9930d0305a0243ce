import {sentStatus, stepStatus} from '../../../session/transcript/patches.ts';
import type {SessionEventOf, Update, UpdateOf} from '../../../session/events.ts';
import {toolCall} from '../../../session/selectors.ts';
import {subagentName} from '../../../session/subagents/names.ts';
import {sessionOf} from '../../../session/subagents/tree.ts';
import type {SessionState} from '../../../session/state.ts';
import {createGrowingContent, type GrowingContent} from '../../../session/transcript/growing-content.ts';
import {sanitize} from '../../../text/sanitize.ts';
import {escapeDeceiving, jsonOf, jsonText} from '../../../text/json.ts';
import {agentOf, costOf, locationOf} from '../result.ts';
import type {StreamEvent} from '../schema.ts';
import type {Format, FormatContext, RunEvent} from './format.ts';

/** Writes one object at the end. */
export function createJson({stdout}: FormatContext): Format {
  return {finish: (result) => stdout.write(jsonLine(result))};
}

/** Returns a value as one line of JSON that is safe to print on a terminal. */
function jsonLine(value: unknown): string {
  return `${jsonText(value, 0)}\n`;
}

/** Writes one event per line, as it happens; the last one is the result. */
export function createStreamJson({stdout}: FormatContext): Format {
  const contents = createContents();
  let last: SessionState | undefined;
  function write(event: EventBody | undefined, {sessionId}: SessionState): void {
    if (event) stdout.write(jsonLine({v: 1, sessionId: sessionId ?? null, ...event}));
  }
  return {
    onEvent(step: RunEvent) {
      last = step.state;
      write(streamEventOf(step, contents), last);
    },
    finish(result) {
      if (last) for (const event of restOf(contents, last)) write(event, last);
      stdout.write(jsonLine(result));
    },
  };
}

/** The content of the calls of a session or subagent. */
type Contents = ReturnType<typeof createContents>;

function createContents() {
  const known = new Map<string | undefined, GrowingContent>();
  return {
    all: () => [...known],
    of(subagent: string | undefined): GrowingContent {
      const contents = known.get(subagent) ?? createGrowingContent();
      known.set(subagent, contents);
      return contents;
    },
  };
}

/** Returns the events of what was added to calls that have not ended. */
function restOf(contents: Contents, state: SessionState): readonly (EventBody | undefined)[] {
  return contents.all().flatMap(([subagent, growing]) =>
    growing.rest(sessionOf(state, subagent)).map((update) => {
      const event = updateEvent(update);
      return subagent === undefined ? event : ofSubagent(subagent, event, state);
    }),
  );
}

type Without<T, Keys extends string> = T extends unknown ? Omit<T, Keys> : never;
/** An event without the common fields. */
type EventBody = Without<StreamEvent, 'v' | 'sessionId'>;

/** Returns the stream event of a step; undefined if it is irrelevant for readers. */
function streamEventOf({event, state, part}: RunEvent, contents: Contents): EventBody | undefined {
  switch (event.type) {
    case 'session_opened':
      return {type: 'init', cwd: state.cwd, agent: agentOf(state)};
    case 'session_update':
      return part ? {type: 'text', ...part} : reportedEvent(event.update, contents.of(undefined), state);
    case 'subagent_updated':
      return ofSubagent(event.sessionId, subagentUpdateEvent(event, state, contents), state);
    case 'permission_resolved':
      return event.subagent === undefined
        ? permissionEvent(event, state)
        : ofSubagent(event.subagent, permissionEvent(event, sessionOf(state, event.subagent)), state);
    case 'elicitation_refused':
      return {type: 'notice', level: 'warning', text: event.text, source: 'client'};
    case 'turn_changes':
    case 'unreviewed_changes':
      return undefined;
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
    case 'sandbox_changed':
    case 'auth_status_reported':
    case 'replay_started':
    case 'replay_dropped':
    case 'renamed':
    case 'imported':
    case 'folder_added':
    case 'folders_resolved':
    case 'prompt_started':
    case 'prompt_steered':
    case 'prompt_ended':
    case 'snapshot_awaited':
    case 'cancel_requested':
    case 'permission_requested':
    case 'permission_rule_offered':
    case 'permission_outdated':
    case 'mcp_server_state':
    case 'elicitation_requested':
    case 'elicitation_resolved':
    case 'elicitation_completed':
    case 'terminal_created':
    case 'terminal_output':
    case 'terminal_drawn':
    case 'terminal_waits':
    case 'terminal_exited':
    case 'terminal_released':
    case 'queue_changed':
    case 'approval_changed':
    case 'custom_commands_changed':
      return undefined;
  }
}

function ofSubagent(id: string, event: EventBody | undefined, state: SessionState): EventBody | undefined {
  return event && {type: 'subagent', subagent: id, title: subagentName(state, id), event};
}

/** Messages of a subagent are not part of the answer. */
function subagentUpdateEvent(
  {sessionId, update}: SessionEventOf<'subagent_updated'>,
  state: SessionState,
  contents: Contents,
): EventBody | undefined {
  if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text')
    return reportedEvent(update, contents.of(sessionId), sessionOf(state, sessionId));
  const {messageId, content} = update;
  return {type: 'text', message: 0, messageId: messageId ?? null, text: content.text};
}

function reportedEvent(update: Update, contents: GrowingContent, state: SessionState): EventBody | undefined {
  const reported = contents.report(update, state);
  return reported && updateEvent(reported);
}

/** An update that is not part of the answer. Kinds without their own format become `other`, unchanged. */
function updateEvent(update: Update): EventBody | undefined {
  switch (update.sessionUpdate) {
    // Bookkeeping of the protocol.
    case 'state_update':
    case 'cursor_update':
    case 'replay_complete':
    case 'prompt_suggestions_update':
      return undefined;
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
      return {type: 'other', kind: update.kind, data: jsonOf(update.json) ?? update.json};
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
    status: sentStatus(update) ?? 'pending',
    content: update.content ?? [],
    locations: (update.locations ?? []).map(locationOf),
    rawInput: update.rawInput ?? null,
    rawOutput: update.rawOutput ?? null,
  };
}

/** Only the changed fields. */
function toolCallUpdateEvent(update: UpdateOf<'tool_call_update'>): EventBody {
  const {title, name, kind, content, locations, rawInput, rawOutput} = update;
  const status = sentStatus(update);
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

function planEntry(step: UpdateOf<'plan'>['entries'][number]) {
  const {content, priority} = step;
  return {content, priority, status: stepStatus(step)};
}

function noticeEvent({severity, title, description}: UpdateOf<'notice'>): EventBody {
  const level = severity === 'warning' || severity === 'error' ? severity : 'info';
  return {type: 'notice', level, text: description ? `${title}\n${description}` : title, source: 'agent'};
}

function other(update: Update): EventBody {
  const {sessionUpdate, ...data} = update;
  return {type: 'other', kind: sessionUpdate, data};
}

/** Writes the agent's lines unchanged. On a terminal they are made safe to print; valid JSON keeps its meaning. */
export function createAcp({stdout}: FormatContext): Format {
  return {
    onWire({direction, line}) {
      if (direction !== 'from_agent') return;
      const raw = line.replace(/\r?\n$/, '');
      stdout.write(`${stdout.isTerminal ? sanitize(escapeDeceiving(raw)) : raw}\n`);
    },
    finish: () => {},
  };
}
