import type {InstallPlan} from './plan.ts';

declare const isGiven: unique symbol;

/** That a person has agreed to a plan. Nothing is fetched or run without one, and only `agree` makes it. */
export interface Consent {
  readonly plan: InstallPlan;
  readonly [isGiven]: true;
}

/**
 * To be called where a person has seen the plan and said yes to it, or has said --yes beforehand, and nowhere else: which files may
 * import this is checked with the direction between the rooms.
 */
export function agree(plan: InstallPlan): Consent {
  return {plan} as Consent;
}
