/** Ends of a request that are no answer. */
export interface Interrupts {
  /** Aborts when the agent withdraws its request. */
  readonly withdrawn: AbortSignal;
  /** Aborts when the turn is cancelled. */
  readonly cancelled: AbortSignal;
}

export function isOver({withdrawn, cancelled}: Interrupts): boolean {
  return withdrawn.aborted || cancelled.aborted;
}

/** Calls back once the signal is aborted, also when it already is; no more after `until`. */
export function whenAborted(signal: AbortSignal, until: AbortSignal, callback: () => void): void {
  if (until.aborted) return;
  if (signal.aborted) callback();
  else signal.addEventListener('abort', callback, {once: true, signal: until});
}
