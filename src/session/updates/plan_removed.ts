import type {UpdateOf} from '../events.ts';
import {removePlan} from '../plans.ts';
import type {SessionState} from '../state.ts';

export function planRemoved(state: SessionState, {planId}: UpdateOf<'plan_removed'>): SessionState {
  return removePlan(state, planId);
}
