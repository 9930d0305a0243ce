import {createListeners} from '../shared/store.ts';

/**
 * What a drawing shows later has arrived: pictures that were being read, and text that a thread was working on. Whatever was drawn without it is drawn again, and
 * is not printed before.
 */

/** Arrivals are reported together, in milliseconds. */
const PAUSE = 8;

let arrivals = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const {subscribe, notify} = createListeners();

/** Says that something has arrived, or will never. */
export function announceArrival(): void {
  arrivals++;
  timer ??= setTimeout(() => {
    timer = undefined;
    notify();
  }, PAUSE);
}

/** Calls the listener when something has arrived. Returns the unsubscribe function. */
export const onArrival = subscribe;

export function arrivalCount(): number {
  return arrivals;
}
