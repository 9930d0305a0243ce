import type {UpdateOf} from '../events.ts';
import type {SessionState} from '../state.ts';

/** The cost is cumulative: an update that does not tell it leaves it. */
export function usageUpdate(state: SessionState, {used, size, cost}: UpdateOf<'usage_update'>): SessionState {
  return {...state, usage: {used, size, cost: cost ?? state.usage?.cost}};
}
