import type {Deviation} from './deviation.ts';
import {
  chunkContent,
  commands,
  flatUpdate,
  interruption,
  modeId,
  planEntries,
  planId,
  terminalEnv,
} from './session-updates.ts';
import {answerShape, errorShape, missingVersion, stopReason} from './envelope.ts';
import {permissionOptions, permissionToolCall} from './permissions.ts';
import {toolCallId, toolContent, toolKind, toolStatus, toolTitle} from './tool-calls.ts';

/** For every message before it reaches the SDK. */
export const ENVELOPE: readonly Deviation[] = [missingVersion, answerShape, errorShape];

/** For the parameters of `session/update`. */
export const UPDATE_PARAMS: readonly Deviation[] = [flatUpdate, interruption];

/** For a tool call, at any depth. */
export const TOOL_CALL: readonly Deviation[] = [toolCallId, toolStatus, toolKind, toolContent];

/** By kind of update. */
export const UPDATES: Readonly<Record<string, readonly Deviation[]>> = {
  user_message_chunk: [chunkContent],
  agent_message_chunk: [chunkContent],
  agent_thought_chunk: [chunkContent],
  tool_call: [toolTitle, ...TOOL_CALL],
  tool_call_update: TOOL_CALL,
  plan: [planEntries],
  plan_update: [planId],
  plan_removed: [planId],
  available_commands_update: [commands],
  current_mode_update: [modeId],
};

/** For the parameters of `session/request_permission`; its tool call is corrected, too. */
export const PERMISSION: readonly Deviation[] = [permissionOptions, permissionToolCall];

/** For the parameters of other requests to the client, by method. */
export const REQUESTS: Readonly<Record<string, readonly Deviation[]>> = {
  'terminal/create': [terminalEnv],
};

/** For a response, by the method of its request. */
export const RESULTS: Readonly<Record<string, readonly Deviation[]>> = {
  'session/prompt': [stopReason],
};
