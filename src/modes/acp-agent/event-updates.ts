import type * as acp from '@agentclientprotocol/sdk/unstable';
import {activityReport, promptTaken, type SessionActivity} from '../../protocol/agent-side/both-versions.ts';
import type {ToolCallEntry} from '../../session/entries.ts';
import type {SessionEvent, Update, UpdateOf} from '../../session/events.ts';
import {isAgentBusy, ownWork} from '../../session/lifecycle/live.ts';
import {toolCall} from '../../session/selectors.ts';
import type {SessionState} from '../../session/state.ts';
import {metaTerminalOutput} from '../../session/terminals/meta-terminals.ts';
import type {GrowingContent} from '../../session/transcript/growing-content.ts';
import {isCallUpdate} from '../../session/transcript/tool-status.ts';
import {seenUpdate} from './forwarded-requests.ts';
import type {EditorSettings} from './session-settings.ts';
import {
  callIdOf,
  messageUpdates,
  forwardableUpdate,
  noticeUpdate,
  toolCallOf,
  type EditorUpdate,
} from './transcript-updates.ts';

interface FollowedEvent {
  /** The states before and after it. */
  readonly before: SessionState;
  readonly now: SessionState;
  /** True for the turn of a prompt of the editor, which shows its own prompts itself. */
  readonly isOwn: (turn: number) => boolean;
  /** True while such a prompt is added to a running turn. */
  readonly isSteering: () => boolean;
  /** That of the session's calls, as the editor has it. */
  readonly contents: GrowingContent;
  readonly held: HeldCalls;
}

/** The calls of whose title or content an editor did not get all, because a request for them was open. */
type HeldCalls = Set<acp.ToolCallId>;

/** Returns the updates that tell an editor of an event: those of the agent, unchanged, and what was done in windows. */
export function updatesOf(event: SessionEvent, followed: FollowedEvent): readonly EditorUpdate[] {
  const {before, now, isOwn, isSteering, contents, held} = followed;
  switch (event.type) {
    case 'session_update': {
      const {update} = event;
      const isReplay = before.replay !== undefined || now.replay !== undefined;
      if (update.sessionUpdate === 'state_update') return lateUpdates(followed, now);
      if (isReplay || isEcho(update, before, now) || BY_STATE.has(update.sessionUpdate)) return [];
      const reported = contents.report(update, now);
      if (!reported || !isCallUpdate(reported))
        return (reported && forwardableUpdate(reported, now.terminals)) ?? [];
      const ended = metaTerminalOutput(reported).filter(({hasEnded}) => hasEnded);
      return [...callUpdates(reported, followed), ...ended.flatMap(({id}) => outputUpdates(id, now, held))];
    }
    // It may be answered without the editor.
    case 'permission_requested':
      return newCall(event.request.toolCall, before, now) ?? [];
    case 'permission_resolved':
      return heldBack(event.toolCallId, now, held);
    case 'prompt_ended':
      return lateUpdates(followed, now);
    case 'prompt_started':
      return event.repeats ? [] : takenPrompt(event, isOwn(event.turn));
    case 'prompt_steered':
      return takenPrompt(event, isSteering());
    case 'notice':
      return event.setting === undefined ? [] : [noticeUpdate(event)];
    case 'terminal_exited':
    case 'terminal_drawn':
      return outputUpdates(event.terminalId, now, held);
    default:
      return [];
  }
}

/** The editor shows its own prompts itself. */
function takenPrompt(
  {content}: {readonly content: readonly acp.ContentBlock[]},
  isOwn: boolean,
): readonly EditorUpdate[] {
  return isOwn ? [promptTaken(content)] : messageUpdates('user_message_chunk', content);
}

/** True for a prompt that the agent repeats: at most its ID is news. */
function isEcho({sessionUpdate}: Update, {entries: before}: SessionState, {entries}: SessionState): boolean {
  if (sessionUpdate !== 'user_message_chunk') return false;
  if (entries === before) return true;
  const [known, prompt] = [before, entries].map((each) =>
    each.findLast((entry) => entry.type === 'user_message'),
  );
  return before.length === entries.length && known !== prompt && known?.content === prompt?.content;
}

/** An editor is told once that a call begins. */
function callUpdates(
  update: UpdateOf<'tool_call' | 'tool_call_update'>,
  {before, now, held}: Pick<FollowedEvent, 'before' | 'now' | 'held'>,
): readonly EditorUpdate[] {
  const call = toolCall(now, update.toolCallId);
  // What acp-tui says of its own call once it is the agent's.
  if (!call) return [];
  const toolCallId = callIdOf(call);
  const isKnown = toolCallId !== update.toolCallId || toolCall(before, toolCallId) !== undefined;
  const isFirst = update.sessionUpdate === 'tool_call' && !isKnown;
  const begun = isFirst ? undefined : newCall(update, before, now);
  if (begun) return begun;
  const {title, content, ...others} = update;
  const isHeld = (title != null || content != null) && holdBack(call, now, held);
  const shown = isHeld ? others : update;
  const changed = {...shown, sessionUpdate: 'tool_call_update' as const, toolCallId};
  return forwardableUpdate(isFirst ? update : changed, now.terminals) ?? [];
}

/** True while a request for a call is open: what an editor shows of it then is what is asked for. */
function holdBack({toolCallId}: ToolCallEntry, {pending}: SessionState, held: HeldCalls): boolean {
  const isAsked = pending.some((each) => each.kind === 'permission' && each.toolCallId === toolCallId);
  if (isAsked) held.add(toolCallId);
  return isAsked;
}

/** Returns the title and content of a call of which some were held back while its request was open. */
function heldBack(toolCallId: acp.ToolCallId, now: SessionState, held: HeldCalls): readonly EditorUpdate[] {
  const call = toolCall(now, toolCallId);
  if (!call || !held.delete(toolCallId) || holdBack(call, now, held)) return [];
  const {title, content} = seenUpdate(call, now);
  return [{sessionUpdate: 'tool_call_update', toolCallId: callIdOf(call), title, content}];
}

/** Returns a call that the editor does not know yet: in version 2 it begins like any other update, and with some agents by a request. */
function newCall(
  {toolCallId, _meta}: acp.ToolCallUpdate,
  before: SessionState,
  now: SessionState,
): readonly EditorUpdate[] | undefined {
  const call = toolCall(now, toolCallId);
  if (toolCall(before, toolCallId) || !call || callIdOf(call) !== toolCallId) return undefined;
  return [{sessionUpdate: 'tool_call', ...toolCallOf(call, now.terminals), ...(_meta && {_meta})}];
}

/** Returns the updates with what was added to calls and not reported yet. */
export function lateUpdates(
  {contents, held}: Pick<FollowedEvent, 'contents' | 'held'>,
  state: SessionState,
): readonly EditorUpdate[] {
  return contents.rest(state).flatMap((update) => {
    const call = isCallUpdate(update) ? toolCall(state, update.toolCallId) : undefined;
    if (call && holdBack(call, state, held)) return [];
    const known = call ? {...update, toolCallId: callIdOf(call)} : update;
    return forwardableUpdate(known, state.terminals) ?? [];
  });
}

/** Returns the update that says what a session does. */
export function activityUpdate(state: SessionState): EditorUpdate {
  return activityReport(activityOf(state));
}

function activityOf(state: SessionState): SessionActivity {
  if (!isAgentBusy(state)) return 'idle';
  const needsUser = state.pending.length > 0 || ownWork(state)?.needsUser === true;
  return needsUser ? 'requires_action' : 'running';
}

/** Sent when the state has changed, with what acp-tui adds. */
const BY_STATE: ReadonlySet<string> = new Set([
  'state_update',
  'current_mode_update',
  'config_option_update',
  'available_commands_update',
]);

/** The call that shows a command gets its output once that is whole. */
function outputUpdates(
  terminalId: string,
  state: SessionState,
  held: HeldCalls,
): readonly acp.SessionUpdate[] {
  const {entries, terminals} = state;
  const {exit, isBehind} = terminals.get(terminalId) ?? {};
  if (!exit || isBehind) return [];
  const call = entries.findLast(
    (entry) =>
      entry.type === 'tool_call' &&
      entry.content.some((part) => part.type === 'terminal' && part.terminalId === terminalId),
  );
  if (call?.type !== 'tool_call' || holdBack(call, state, held)) return [];
  const {toolCallId, content} = toolCallOf(call, terminals);
  return [{sessionUpdate: 'tool_call_update', toolCallId, content: content ?? []}];
}

/** Returns the updates of the activity, the settings and the commands that have changed, whoever changed them. */
export function stateUpdates(
  before: SessionState,
  now: SessionState,
  settings: () => EditorSettings,
): readonly EditorUpdate[] {
  const updates: EditorUpdate[] = [];
  if (activityOf(before) !== activityOf(now)) updates.push(activityUpdate(now));
  if (
    now.modes !== before.modes ||
    now.models !== before.models ||
    now.configOptions !== before.configOptions
  ) {
    const {configOptions, modes} = settings();
    updates.push({sessionUpdate: 'config_option_update', configOptions});
    if (modes) updates.push({sessionUpdate: 'current_mode_update', currentModeId: modes.currentModeId});
  }
  if (now.commands !== before.commands || now.customCommands !== before.customCommands)
    updates.push(commandUpdate(now));
  return updates;
}

/** Returns the update with the agent's commands, and the user's own, which take precedence. */
export function commandUpdate({commands, customCommands}: SessionState): acp.SessionUpdate {
  const own = customCommands.map(({name, description, argumentHint}) => ({
    name,
    description,
    ...(argumentHint !== undefined && {input: {hint: argumentHint}}),
  }));
  const names = new Set(own.map(({name}) => name));
  const availableCommands = [...commands.filter(({name}) => !names.has(name)), ...own];
  return {sessionUpdate: 'available_commands_update', availableCommands};
}
