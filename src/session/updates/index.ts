import type {Update, UpdateKind, UpdateOf} from '../events.ts';
import type {SessionState} from '../state.ts';
import {unknownUpdate} from './_unknown.ts';
import {agentMessageChunk} from './agent_message_chunk.ts';
import {agentThoughtChunk} from './agent_thought_chunk.ts';
import {availableCommandsUpdate} from './available_commands_update.ts';
import {compactionSummaryChunk} from './compaction_summary_chunk.ts';
import {compactionUpdate} from './compaction_update.ts';
import {configOptionUpdate} from './config_option_update.ts';
import {currentModeUpdate} from './current_mode_update.ts';
import {notice} from './notice.ts';
import {plan} from './plan.ts';
import {planRemoved} from './plan_removed.ts';
import {planUpdate} from './plan_update.ts';
import {sessionInfoUpdate} from './session_info_update.ts';
import {sessionMessage} from './session_message.ts';
import {sessionMessageChunk} from './session_message_chunk.ts';
import {subagentUpdate} from './subagent_update.ts';
import {toolCall} from './tool_call.ts';
import {toolCallUpdate} from './tool_call_update.ts';
import {usageUpdate} from './usage_update.ts';
import {userMessageChunk} from './user_message_chunk.ts';

/** `at` is milliseconds since the epoch. */
type Fold<Kind extends UpdateKind> = (
  state: SessionState,
  update: UpdateOf<Kind>,
  at: number,
) => SessionState;

/** One fold for each kind of the schema and its drafts; leaving one out fails the type check. */
const updates: {readonly [Kind in UpdateKind]: Fold<Kind>} = {
  user_message_chunk: userMessageChunk,
  agent_message_chunk: agentMessageChunk,
  agent_thought_chunk: agentThoughtChunk,
  tool_call: toolCall,
  tool_call_update: toolCallUpdate,
  plan,
  plan_update: planUpdate,
  plan_removed: planRemoved,
  available_commands_update: availableCommandsUpdate,
  current_mode_update: currentModeUpdate,
  config_option_update: configOptionUpdate,
  session_info_update: sessionInfoUpdate,
  usage_update: usageUpdate,
  notice,
  compaction_update: compactionUpdate,
  compaction_summary_chunk: compactionSummaryChunk,
  subagent_update: subagentUpdate,
  session_message: sessionMessage,
  session_message_chunk: sessionMessageChunk,
  _unknown: unknownUpdate,
};

/** Folds one `session/update` into a session. */
export function foldUpdate(state: SessionState, update: Update, at: number): SessionState {
  const fold = updates[update.sessionUpdate] as (
    state: SessionState,
    update: Update,
    at: number,
  ) => SessionState;
  return fold(state, update, at);
}
