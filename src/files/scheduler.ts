import {setImmediate as nextTurn} from 'node:timers/promises';

/** How long work may hold up keys and drawing at once, in milliseconds. */
const SLICE_MS = 6;

/** Lets everything else happen whenever work has gone on for a slice; to be called between pieces that are shorter than one. */
export function createScheduler(): () => Promise<void> | undefined {
  let started = performance.now();
  return () => {
    if (performance.now() - started < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      started = performance.now();
    });
  };
}
