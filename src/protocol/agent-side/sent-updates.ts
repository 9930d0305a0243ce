import {randomUUID} from 'node:crypto';
import {isDeepStrictEqual} from 'node:util';
import {clears, isReplacement} from '../../session/transcript/patches.ts';
import type {JsonObject} from '../../text/json.ts';
import {optionsOfVersion2} from '../v2/v2-config-options.ts';
import {commands, planUpdate, toolCall, toolContent, withoutOwnMeta} from './sent-values.ts';

/** Translates the updates of a session to version 2. */
export interface SentUpdates {
  translate(update: JsonObject): readonly JsonObject[];
  /** What follows a prompt is another message. */
  promptTaken(): void;
  /** The client may have other content of a tool call, or of all of them: the next update has all of it. */
  forgetCall(toolCallId?: unknown): void;
}

export function createSentUpdates(): SentUpdates {
  const calls = createSentCalls();
  /** The message of the last chunk without an ID: version 2 has no such chunks. */
  let unnamed: {readonly kind: unknown; readonly messageId: string} | undefined;

  function named(update: JsonObject): JsonObject {
    const {sessionUpdate: kind, messageId} = update;
    if (typeof messageId === 'string') {
      unnamed = undefined;
      return update;
    }
    if (unnamed?.kind !== kind) unnamed = {kind, messageId: randomUUID()};
    return {...update, messageId: unnamed?.messageId};
  }

  function chunk(update: JsonObject): JsonObject {
    const {content, sessionUpdate, ...others} = named(update);
    const kind = String(sessionUpdate);
    const isNew = isReplacement(update as never);
    return isNew
      ? {...withoutOwnMeta(others), sessionUpdate: kind.replace(/_chunk$/, ''), content: [content]}
      : {...others, sessionUpdate, content};
  }

  return {
    translate(update) {
      const kind = update['sessionUpdate'];
      if (typeof kind === 'string' && /^(?:user|agent)_(?:message|thought)_chunk$/.test(kind))
        return [chunk(update)];
      // What is between two messages makes them two; what only describes the session does not.
      if (kind === 'tool_call' || kind === 'tool_call_update' || kind === 'plan') unnamed = undefined;
      switch (kind) {
        case 'tool_call':
        case 'tool_call_update':
          return calls.translate(update);
        case 'plan':
        case 'plan_update':
          return [planUpdate(update)];
        case 'available_commands_update':
          return [{...update, availableCommands: commands(update['availableCommands'])}];
        case 'config_option_update':
          return [{...update, configOptions: optionsOfVersion2(update['configOptions'])}];
        // Modes are options in version 2.
        case 'current_mode_update':
          return [];
        default:
          return [update];
      }
    },
    promptTaken: () => void (unnamed = undefined),
    forgetCall: calls.forget,
  };
}

const ENDS: ReadonlySet<unknown> = new Set(['completed', 'failed']);

/** Sends what is new in the content of a tool call: version 1 repeats all of it in each update, version 2 appends chunks. */
function createSentCalls() {
  /** The content of the unfinished calls, as the client has it. */
  const contents = new Map<unknown, readonly unknown[]>();

  function remember(update: JsonObject): void {
    const {toolCallId, content, status} = update;
    if (ENDS.has(status)) contents.delete(toolCallId);
    else if (Array.isArray(content)) contents.set(toolCallId, [...content]);
    else if (update['sessionUpdate'] === 'tool_call' || clears(update, 'content'))
      contents.delete(toolCallId);
  }

  return {
    translate(update: JsonObject): readonly JsonObject[] {
      const {content, ...patch} = update;
      const {toolCallId, kind} = patch;
      const known = patch['sessionUpdate'] === 'tool_call_update' ? contents.get(toolCallId) : undefined;
      remember(update);
      if (!Array.isArray(content) || !known || !isContinued(known, content))
        return [{...toolCall(update), sessionUpdate: 'tool_call_update'}];
      const chunks = content.slice(known.length).map((part: unknown) => ({
        sessionUpdate: 'tool_call_content_chunk',
        toolCallId,
        content: toolContent(part, kind),
      }));
      const rest = toolCall(patch);
      const isChanged = Object.keys(rest).some(
        (field) => field !== 'toolCallId' && field !== 'sessionUpdate',
      );
      return isChanged ? [...chunks, rest] : chunks;
    },
    forget: (toolCallId?: unknown) =>
      void (toolCallId === undefined ? contents.clear() : contents.delete(toolCallId)),
  };
}

function isContinued(known: readonly unknown[], content: readonly unknown[]): boolean {
  return known.every((part, index) => isDeepStrictEqual(part, content[index]));
}
