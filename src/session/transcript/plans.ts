import type * as acp from '@agentclientprotocol/sdk/unstable';
import {LIMITS} from '../../shared/limits.ts';
import type {PlanState, SessionState} from '../state.ts';
import {appendEntry, replaceEntry} from './transcript.ts';

/** The id of the plan in the stable `plan` update, of which there is only one. */
export const STABLE_PLAN = '';

/** True if all its steps are done; false for plans without steps. */
export function isPlanFinished({content}: Pick<PlanState, 'content'>): boolean {
  return content.type === 'items' && content.entries.every((entry) => entry.status === 'completed');
}

/**
 * Replaces the plan with its id ("Agent Plan"): agents always send the complete plan. A finished plan gets an entry; while it stays finished, changes go into
 * that entry. One that gets new steps is active again, and gets another entry when those are done.
 */
export function upsertPlan(state: SessionState, update: acp.PlanUpdateContent, at: number): SessionState {
  const content = withinLimit(update);
  const id = content.planId;
  if (content.type === 'items' && content.entries.length === 0) return removePlan(state, id);
  const plan = {id, content, finishedEntry: state.plans.find((plan) => plan.id === id)?.finishedEntry};
  if (!isPlanFinished(plan)) return putPlan(state, {...plan, finishedEntry: undefined});
  const entry = plan.finishedEntry === undefined ? undefined : state.entries.get(plan.finishedEntry);
  if (plan.finishedEntry !== undefined && entry?.type === 'plan')
    return putPlan(replaceEntry(state, plan.finishedEntry, {...entry, content}), plan);
  if (!state.plans.some((other) => other.id === id) && isUnchanged(state, plan)) return state;
  return putPlan(appendPlan(state, plan, at), {...plan, finishedEntry: state.entries.length});
}

/** Truncates a huge plan; its last step says so. */
function withinLimit(content: acp.PlanUpdateContent): acp.PlanUpdateContent {
  if (content.type !== 'items' || content.entries.length <= LIMITS.planEntries) return content;
  const kept = content.entries.slice(0, LIMITS.planEntries - 1);
  const rest = content.entries.length - kept.length;
  const status = content.entries.every((entry) => entry.status === 'completed') ? 'completed' : 'pending';
  return {
    ...content,
    entries: [...kept, {content: `${rest} more steps not shown`, priority: 'low', status}],
  };
}

export function removePlan(state: SessionState, id: string): SessionState {
  if (!state.plans.some((plan) => plan.id === id)) return state;
  return {...state, plans: state.plans.filter((plan) => plan.id !== id)};
}

/** At the end of a turn, plans leave the screen; unfinished ones are added to the transcript. */
export function endPlans(before: SessionState, at: number): SessionState {
  if (before.plans.length === 0) return before;
  let state = before;
  for (const plan of before.plans)
    if (plan.finishedEntry === undefined && !isUnchanged(state, plan)) state = appendPlan(state, plan, at);
  return {...state, plans: []};
}

/** True if the transcript already contains it: some agents send an unchanged plan with each turn. */
function isUnchanged(
  {entries, sessionStart}: SessionState,
  {id, content}: Pick<PlanState, 'id' | 'content'>,
): boolean {
  const index = entries.findLastIndex((entry) => entry.type === 'plan' && entry.planId === id);
  const entry = index >= sessionStart ? entries.get(index) : undefined;
  return entry?.type === 'plan' && JSON.stringify(entry.content) === JSON.stringify(content);
}

function putPlan(state: SessionState, plan: PlanState): SessionState {
  const index = state.plans.findIndex(({id}) => id === plan.id);
  return {...state, plans: index === -1 ? [...state.plans, plan] : state.plans.with(index, plan)};
}

function appendPlan(state: SessionState, plan: PlanState, at: number): SessionState {
  return appendEntry(state, {type: 'plan', planId: plan.id, content: plan.content}, at);
}
