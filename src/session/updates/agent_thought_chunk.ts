import type {UpdateOf} from '../events.ts';
import {appendChunk} from '../messages.ts';
import type {SessionState} from '../state.ts';

export function agentThoughtChunk(
  state: SessionState,
  chunk: UpdateOf<'agent_thought_chunk'>,
  at: number,
): SessionState {
  return appendChunk(state, 'agent_thought', {chunk, at});
}
