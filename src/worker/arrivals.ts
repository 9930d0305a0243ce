/**
 * What a drawing shows later has arrived: pictures that were being read, and text that a thread was working on. Whatever was drawn without it is drawn again, and
 * is not printed before.
 */

/** Arrivals are reported together, in milliseconds. */
const PAUSE = 8;

let arrivals = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Says that something has arrived, or will never. */
export function announceArrival(): void {
  arrivals++;
  timer ??= setTimeout(() => {
    timer = undefined;
    for (const listener of listeners) listener();
  }, PAUSE);
}

/** Calls the listener when something has arrived. Returns the unsubscribe function. */
export function onArrival(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function arrivalCount(): number {
  return arrivals;
}
