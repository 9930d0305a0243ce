import type {UpdateOf} from '../events.ts';
import {upsertPlan} from '../plans.ts';
import type {SessionState} from '../state.ts';

export function planUpdate(state: SessionState, update: UpdateOf<'plan_update'>, at: number): SessionState {
  return upsertPlan(state, update.plan, at);
}
