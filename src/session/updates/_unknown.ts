import type {UpdateOf} from '../events.ts';
import type {SessionState} from '../state.ts';
import {appendUnknown} from '../unknown-updates.ts';

export function unknownUpdate(state: SessionState, update: UpdateOf<'_unknown'>, at: number): SessionState {
  return appendUnknown(state, update, at);
}
