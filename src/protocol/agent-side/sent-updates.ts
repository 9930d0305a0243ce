import {randomUUID} from 'node:crypto';
import {isReplacement} from '../../session/transcript/patches.ts';
import type {JsonObject} from '../../text/json.ts';
import {optionsOfVersion2} from '../v2/v2-config-options.ts';
import {commands, planUpdate, toolCall, withoutOwnMeta} from './sent-values.ts';

/** Translates the updates of a session to version 2. */
export interface SentUpdates {
  translate(update: JsonObject): readonly JsonObject[];
  /** What follows a prompt is another message. */
  promptTaken(): void;
}

export function createSentUpdates(): SentUpdates {
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
          return [{...toolCall(update), sessionUpdate: 'tool_call_update'}];
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
  };
}
