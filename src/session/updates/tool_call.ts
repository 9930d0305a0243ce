import type {UpdateOf} from '../events.ts';
import type {SessionState} from '../state.ts';
import {toolCallTold} from '../permissions.ts';

/** Begins a tool call; a second one for the same id updates it. */
export function toolCall(state: SessionState, update: UpdateOf<'tool_call'>, at: number): SessionState {
  return toolCallTold(state, update, at);
}
