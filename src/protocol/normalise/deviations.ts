import type {Deviation} from './deviation.ts';
import {chunkContent} from './chunk-content.ts';
import {commands} from './commands.ts';
import {answerShape, errorShape, missingVersion} from './envelope.ts';
import {flatUpdate} from './flat-update.ts';
import {modeId} from './mode-id.ts';
import {permissionOptions} from './permission-options.ts';
import {permissionToolCall} from './permission-tool-call.ts';
import {planEntries} from './plan-entries.ts';
import {planId} from './plan-id.ts';
import {stopReason} from './stop-reason.ts';
import {terminalEnv} from './terminal-env.ts';
import {toolCallId} from './tool-call-id.ts';
import {toolContent} from './tool-content.ts';
import {toolKind} from './tool-kind.ts';
import {toolStatus} from './tool-status.ts';
import {toolTitle} from './tool-title.ts';

/** In every message that goes to the SDK. */
export const ENVELOPE: readonly Deviation[] = [missingVersion, answerShape, errorShape];

/** In the parameters of `session/update`. */
export const UPDATE_PARAMS: readonly Deviation[] = [flatUpdate];

/** In a tool call, wherever it stands. */
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

/** In the parameters of `session/request_permission`; its tool call is mended as well. */
export const PERMISSION: readonly Deviation[] = [permissionOptions, permissionToolCall];

/** In the parameters of another request to us, by method. */
export const REQUESTS: Readonly<Record<string, readonly Deviation[]>> = {
  'terminal/create': [terminalEnv],
};

/** In an answer to us, by the method of our request. */
export const RESULTS: Readonly<Record<string, readonly Deviation[]>> = {
  'session/prompt': [stopReason],
};
