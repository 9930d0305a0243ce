import {createListeners} from '../shared/store.ts';

/**
 * What a drawing shows later has arrived: pictures that were being read, and text that a thread was working on. Whatever was drawn without it is drawn again, and
 * is not printed before.
 */

/** Arrivals are reported together, in milliseconds. */
const PAUSE = 8;
/** How long the rendered end of a growing text waits for more text, with which it is drawn, in milliseconds: longer than the time between two steps of text. */
const NEXT_TEXT = 50;

let arrivals = 0;
let soon: ReturnType<typeof setTimeout> | undefined;
let later: ReturnType<typeof setTimeout> | undefined;
const {subscribe, notify} = createListeners();

/** Says that something has arrived, or will never; a draft is something that is drawn again soon. */
export function announceArrival({isDraft = false} = {}): void {
  arrivals++;
  if (isDraft) {
    clearTimeout(later);
    later = setTimeout(report, NEXT_TEXT);
  } else soon ??= setTimeout(report, PAUSE);
}

function report(): void {
  for (const timer of [soon, later]) clearTimeout(timer);
  soon = later = undefined;
  notify();
}

/** Calls the listener when something has arrived. Returns the unsubscribe function. */
export const onArrival = subscribe;

export function arrivalCount(): number {
  return arrivals;
}
