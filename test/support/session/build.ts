import {withSentStatus} from '../../../src/session/transcript/patches.ts';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {EntryType} from '../../../src/session/entries.ts';
import type {OpenedSession, SessionEvent, Update, UpdateOf} from '../../../src/session/events.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {reduce} from '../../../src/session/reduce.ts';
import type {SessionState} from '../../../src/session/state.ts';
import type {EntryOf} from '../../../src/session/transcript/transcript.ts';

/** An event whose time does not matter. */
export type UntimedEvent = SessionEvent extends infer Event
  ? Event extends {readonly type: string}
    ? Omit<Event, 'at'> & {readonly at?: number}
    : never
  : never;

/** A session with an agent that answered `initialize`. */
export const opened: SessionState = reduceEvents(
  initialSession({cwd: '/project', additionalDirectories: [], at: 0}),
  {
    type: 'session_opened',
    how: 'new',
    session: {sessionId: 's1', cwd: '/project', additionalDirectories: []},
  },
  {type: 'connection_changed', connection: {kind: 'ready'}},
);

/** Folds events, one per millisecond by default. */
export function reduceEvents(state: SessionState, ...events: readonly UntimedEvent[]): SessionState {
  return events.reduce<SessionState>(
    (folded, event, index) => reduce(folded, {at: index + 1, ...event}),
    state,
  );
}

export function update(update: Update): UntimedEvent {
  return {type: 'session_update', update};
}

/** Folds updates of the agent. */
export function reduceUpdates(state: SessionState, ...updates: readonly Update[]): SessionState {
  return reduceEvents(state, ...updates.map(update));
}

/** An update of a subagent's session. */
export function updateOf(sessionId: string, update: Update): UntimedEvent {
  return {type: 'subagent_updated', sessionId, update};
}

/** An update about a subagent. */
export function subagent(
  sessionId: string,
  rest: Omit<UpdateOf<'subagent_update'>, 'sessionUpdate' | 'sessionId'>,
): Update {
  return {sessionUpdate: 'subagent_update', sessionId, ...rest};
}

export function text(text: string): acp.ContentBlock {
  return {type: 'text', text};
}

export function says(words: string, messageId?: string): Update {
  return {
    sessionUpdate: 'agent_message_chunk',
    content: text(words),
    ...(messageId === undefined ? {} : {messageId}),
  };
}

export function thinks(words: string): Update {
  return {sessionUpdate: 'agent_thought_chunk', content: text(words)};
}

export function prompted(words: string, turn = 1): UntimedEvent {
  return {type: 'prompt_started', turn, content: [text(words)]};
}

export function ended(stopReason: acp.StopReason, turn = 1): UntimedEvent {
  return {type: 'prompt_ended', turn, outcome: {kind: 'stopped', stopReason}};
}

export function entriesOf<Type extends EntryType>(state: SessionState, type: Type): EntryOf<Type>[] {
  return state.entries.filter((entry) => entry.type === type) as EntryOf<Type>[];
}

/** The only entry of a type; fails if there are more or none. */
export function only<Type extends EntryType>(state: SessionState, type: Type): EntryOf<Type> {
  const [first, ...more] = entriesOf(state, type);
  if (first === undefined || more.length > 0)
    throw new Error(`expected one ${type}, got ${state.entries.map((entry) => entry.type).join(', ')}`);
  return first;
}

export function types(state: SessionState): EntryType[] {
  return state.entries.map((entry) => entry.type);
}

export function calls(toolCallId: string, fields: Partial<acp.ToolCall> = {}): Update {
  return {sessionUpdate: 'tool_call', toolCallId, title: 'Read a file', ...fields};
}

export function callUpdate(toolCallId: string, fields: Partial<acp.ToolCallUpdate> = {}): Update {
  return {sessionUpdate: 'tool_call_update', toolCallId, ...fields};
}

export function newSession(sessionId: string, fields: Partial<OpenedSession> = {}): UntimedEvent {
  const session = {sessionId, cwd: '/project', additionalDirectories: [], ...fields};
  return {type: 'session_opened', how: 'new', session};
}

/** A step of a plan that the agent has cancelled. */
export function cancelledStep(content: string): acp.PlanEntry {
  return withSentStatus({content, priority: 'high', status: 'completed'}, 'cancelled');
}
