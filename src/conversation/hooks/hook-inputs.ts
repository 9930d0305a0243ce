import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {RequestedOperation} from '../../host/services.ts';
import type {ToolCallEntry} from '../../session/entries.ts';
import type {OpeningMethod, SessionEvent} from '../../session/events.ts';
import {commandsIn, holdsCommand, shellLines} from '../../session/requests/command-fields.ts';
import {runInput} from '../../session/requests/run-input.ts';
import {unsanitizedToolCall} from '../../session/sanitize-events.ts';
import {messageText, toolCall} from '../../session/selectors.ts';
import {toolNames, type HookEvent} from '../../session/settings/hooks.ts';
import type {SessionState} from '../../session/state.ts';
import {sessionOf} from '../../session/subagents/tree.ts';
import {isJsonObject} from '../../text/json.ts';
import {changesIn} from '../../session/transcript/diffs.ts';
import {hasRun, isCallUpdate} from '../../session/transcript/tool-status.ts';

/** What happened, for its hooks: `names` are what a matcher may match, `fields` the part of the JSON that differs by event. */
export interface HookInput {
  readonly event: HookEvent;
  readonly names: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What an agent wants to do. */
export function requestInput({tool: name, ...asked}: RequestedOperation): HookInput {
  return toolInput('PermissionRequest', {name, ...asked});
}

interface Tool {
  readonly kind: acp.ToolKind;
  readonly kinds: readonly acp.ToolKind[];
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly rawInput: unknown;
  readonly command: string | undefined;
  readonly path: string | undefined;
  readonly cwd?: string | undefined;
}

function toolInput(event: HookEvent, {kind, kinds, name, title, rawInput, ...of}: Tool): HookInput {
  const {command, path, cwd} = of;
  const names = kinds.flatMap((each) => toolNames(each, name));
  return {
    event,
    names,
    fields: {
      tool_name: names[0],
      tool_input: {
        ...(isJsonObject(rawInput) ? rawInput : {}),
        ...(command !== undefined && {command}),
        ...(path !== undefined && {file_path: path}),
        ...(cwd !== undefined && {cwd}),
      },
      tool: {kind, name, title},
    },
  };
}

const SOURCES: Readonly<Record<OpeningMethod, string>> = {
  new: 'startup',
  load: 'resume',
  resume: 'resume',
  fork: 'fork',
};

/** What an event of a session is for hooks; nothing for most. `before` is the state before it. */
export function eventInputs(
  event: SessionEvent,
  before: SessionState,
  after: SessionState,
): readonly HookInput[] {
  switch (event.type) {
    case 'session_opened': {
      const source = SOURCES[event.how];
      const start: HookInput = {event: 'SessionStart', names: [source], fields: {source}};
      const isOther = before.sessionId !== undefined && before.sessionId !== after.sessionId;
      return isOther ? [sessionEnd('clear', before.sessionId), start] : [start];
    }
    case 'session_update':
    case 'subagent_updated': {
      if (before.replay || after.replay) return [];
      const {update} = event;
      if (!isCallUpdate(update)) return [];
      const of = event.type === 'subagent_updated' ? event.sessionId : undefined;
      const callIn = (state: SessionState) => toolCall(sessionOf(state, of), update.toolCallId);
      const call = callIn(after);
      if (!call || !hasRun(call.status)) return [];
      const was = callIn(before);
      return was && hasRun(was.status) ? [] : [callInput(call)];
    }
    case 'prompt_ended': {
      const {outcome, turn} = event;
      const last = after.entries.findLast((entry) => entry.type === 'agent_message' && entry.turn === turn);
      return [
        {
          event: 'Stop',
          names: [],
          fields: {
            stop_reason: outcome.kind === 'stopped' ? outcome.stopReason : 'failed',
            last_assistant_message: last?.type === 'agent_message' ? messageText(last) : undefined,
          },
        },
      ];
    }
    default:
      return [];
  }
}

export function sessionEnd(reason: 'clear' | 'exit', session_id?: string): HookInput {
  return {
    event: 'SessionEnd',
    names: [reason],
    fields: {reason, ...(session_id !== undefined && {session_id})},
  };
}

export function notificationInput(message: string): HookInput {
  return {event: 'Notification', names: [], fields: {title: 'acp-tui', message}};
}

function callInput(entry: ToolCallEntry): HookInput {
  const call = unsanitizedToolCall(entry);
  const {kind, name, title, rawInput, rawOutput, content, locations, status} = call;
  const changes = changesIn(call);
  const [path] = [...changes, ...locations].map((place) => place.path);
  const kinds = [
    ...(holdsCommand(call) ? ['execute' as const] : []),
    ...changes.map(({does}) => (does === 'copy' ? 'edit' : does)),
    kind,
  ];
  const run = runInput(rawInput);
  const others = commandsIn(run ? run.beside : rawInput).commands;
  const command = shellLines(run ? [run.command, ...others] : others);
  const input = toolInput('PostToolUse', {kind, kinds, name, title, rawInput, command, path});
  const text = messageText({
    content: content.flatMap((part) => (part.type === 'content' ? [part.content] : [])),
  });
  return {...input, fields: {...input.fields, tool_response: {status, text, output: rawOutput}}};
}
