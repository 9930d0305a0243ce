import type {CursorUpdate, NewerUpdate, StateUpdate} from '../../session/events.ts';
import type {BackgroundWork} from '../../session/state.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';

/** Reads an update; undefined if it does not follow its schema. */
type Reader = (update: JsonObject) => NewerUpdate | undefined;

/** The updates that the SDK's parsers of version 1 do not know, by kind. */
const READERS: Readonly<Record<NewerUpdate['sessionUpdate'], Reader>> = {
  state_update: stateUpdate,
  cursor_update: cursorUpdate,
  replay_complete: () => ({sessionUpdate: 'replay_complete'}),
  prompt_suggestions_update: ({suggestions}) =>
    Array.isArray(suggestions)
      ? {sessionUpdate: 'prompt_suggestions_update', suggestions: suggestions.flatMap(promptText)}
      : undefined,
};

/** Returns the reader of a kind of update; undefined if the SDK knows the kind, or nobody does. */
export function newerUpdate(kind: string): Reader | undefined {
  return Object.hasOwn(READERS, kind) ? READERS[kind as NewerUpdate['sessionUpdate']] : undefined;
}

/** A list of background work that cannot be read is treated as none that was sent. */
function stateUpdate({state, background}: JsonObject): StateUpdate | undefined {
  if (typeof state !== 'string') return undefined;
  const work = Array.isArray(background) ? {background: background.flatMap(backgroundWork)} : {};
  return {sessionUpdate: 'state_update', state, ...work};
}

function backgroundWork(work: unknown): readonly BackgroundWork[] {
  if (!isJsonObject(work)) return [];
  const {type, toolCallId, terminalId, sessionId} = work;
  if (type === 'tool_call' && typeof toolCallId === 'string') return [{kind: type, id: toolCallId}];
  if (type === 'terminal' && typeof terminalId === 'string') return [{kind: type, id: terminalId}];
  return type === 'subagent' && typeof sessionId === 'string' ? [{kind: type, id: sessionId}] : [];
}

function cursorUpdate({cursorId, capabilities, anchor}: JsonObject): CursorUpdate | undefined {
  if (typeof cursorId !== 'string') return undefined;
  return {
    sessionUpdate: 'cursor_update',
    cursorId,
    ...(capabilities !== undefined && {
      canFork: isJsonObject(capabilities) && isJsonObject(capabilities['fork']),
    }),
    ...anchorOf(anchor),
  };
}

function anchorOf(anchor: unknown): Pick<CursorUpdate, 'anchor'> {
  if (!isJsonObject(anchor)) return {};
  const {messageId, position} = anchor;
  const isPlace = position === 'before' || position === 'after';
  return typeof messageId === 'string' && isPlace ? {anchor: {messageId, position}} : {};
}

/** Returns the text of a suggested prompt; none if it has anything else. */
function promptText(suggestion: unknown): readonly string[] {
  const prompt = isJsonObject(suggestion) ? suggestion['prompt'] : undefined;
  if (!Array.isArray(prompt)) return [];
  const texts = prompt.map((block) =>
    isJsonObject(block) && block['type'] === 'text' ? block['text'] : null,
  );
  const text = texts.every((each) => typeof each === 'string') ? texts.join('').trim() : '';
  return text === '' ? [] : [text];
}
