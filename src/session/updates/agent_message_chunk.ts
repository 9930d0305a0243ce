import type {UpdateOf} from '../events.ts';
import {appendChunk} from '../messages.ts';
import type {SessionState} from '../state.ts';

export function agentMessageChunk(
  state: SessionState,
  chunk: UpdateOf<'agent_message_chunk'>,
  at: number,
): SessionState {
  return appendChunk(state, 'agent_message', {chunk, at});
}
