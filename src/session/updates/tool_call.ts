import type {UpdateOf} from '../events.ts';
import type {SessionState} from '../state.ts';
import {upsertToolCall} from '../tool-calls.ts';

/** Begins a tool call; a second one for the same id updates it. */
export function toolCall(state: SessionState, update: UpdateOf<'tool_call'>, at: number): SessionState {
  return upsertToolCall(state, update, at);
}
