import {activityOf} from '../../../src/app/status/progress.ts';

/** What is going on in a session, and for how long, as one text; undefined while idle. */
export function activityText(...args: Parameters<typeof activityOf>): string | undefined {
  const activity = activityOf(...args);
  return activity && [activity.doing, activity.took].filter(Boolean).join(' ');
}
