import {setImmediate as nextTurn} from 'node:timers/promises';

/** Maximum time slice during which keys and drawing are blocked, in milliseconds. */
const SLICE_MS = 6;

/** Yields to the event loop whenever a time slice is used up; call it between pieces of work that are shorter than one. */
export function createScheduler(): () => Promise<void> | undefined {
  let started = performance.now();
  return () => {
    if (performance.now() - started < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      started = performance.now();
    });
  };
}
