import type {UpdateOf} from '../events.ts';
import type {SessionState} from '../state.ts';
import {toolCallTold} from '../permissions.ts';

/** Updates a tool call; one for an unknown id begins it. */
export function toolCallUpdate(
  state: SessionState,
  update: UpdateOf<'tool_call_update'>,
  at: number,
): SessionState {
  return toolCallTold(state, update, at);
}
