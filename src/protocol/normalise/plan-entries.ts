import type {PlanEntryPriority, PlanEntryStatus} from '@agentclientprotocol/sdk/unstable';
import {isFields, mapItems, type Deviation} from './deviation.ts';

const PRIORITIES: Readonly<Record<PlanEntryPriority, true>> = {high: true, medium: true, low: true};
const STATUSES: Readonly<Record<PlanEntryStatus, true>> = {pending: true, in_progress: true, completed: true};

/** A plan without entries; entries without a priority or status, or with one that the schema does not know. */
export const planEntries: Deviation = {
  name: 'plan-entries',
  mend(plan) {
    const {entries} = plan;
    if (entries === undefined) return {...plan, entries: []};
    if (!Array.isArray(entries)) return plan;
    const mended = mapItems(entries, entry);
    return mended === entries ? plan : {...plan, entries: mended};
  },
};

function entry(value: unknown): unknown {
  if (typeof value === 'string') return {content: value, priority: 'medium', status: 'pending'};
  if (!isFields(value)) return value;
  const knowsPriority = isKeyOf(PRIORITIES, value['priority']);
  const knowsStatus = isKeyOf(STATUSES, value['status']);
  if (knowsPriority && knowsStatus) return value;
  return {
    ...value,
    priority: knowsPriority ? value['priority'] : 'medium',
    status: knowsStatus ? value['status'] : 'pending',
  };
}

function isKeyOf(keys: object, value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(keys, value);
}
