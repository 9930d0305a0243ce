import type {UpdateOf} from '../events.ts';
import {STABLE_PLAN, upsertPlan} from '../plans.ts';
import type {SessionState} from '../state.ts';

export function plan(state: SessionState, {entries}: UpdateOf<'plan'>, at: number): SessionState {
  return upsertPlan(state, {type: 'items', planId: STABLE_PLAN, entries}, at);
}
