import type {InstallPlan} from './plan.ts';

declare const isGiven: unique symbol;

/** A person's consent to a plan, created only by `consentTo`. Nothing is downloaded or run without it. */
export interface Consent {
  readonly plan: InstallPlan;
  readonly [isGiven]: true;
}

/** Call this only where a person has seen and accepted the plan, or has passed --yes. The architecture check lists the files that may import this. */
export function consentTo(plan: InstallPlan): Consent {
  return {plan} as Consent;
}
