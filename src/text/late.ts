/**
 * What a drawing shows later: pictures that are being read, and text that a thread is working on. Whatever was drawn without it is drawn again when it has
 * arrived, and is not printed before.
 */

/** A drawing, and whether something in it was missing. */
export interface Late<Drawing> {
  readonly drawing: Drawing;
  readonly isComplete: boolean;
  /** The number of arrivals before it. */
  readonly arrivals: number;
}

/** Arrivals are reported together, in milliseconds. */
const PAUSE = 8;

let isMissing = false;
let arrivals = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Says that what is being drawn lacks something that will arrive. */
export function noteMissing(): void {
  isMissing = true;
}

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

/** Draws, or returns the drawing from before if nothing that it lacks can have arrived since. */
export function drawLate<Drawing>(before: Late<Drawing> | undefined, draw: () => Drawing): Late<Drawing> {
  const wasMissing = isMissing;
  isMissing = before !== undefined && !before.isComplete;
  try {
    if (before !== undefined && (before.isComplete || before.arrivals === arrivals)) return before;
    isMissing = false;
    const now = arrivals;
    const drawing = draw();
    return {drawing, isComplete: !isMissing, arrivals: now};
  } finally {
    isMissing ||= wasMissing;
  }
}
