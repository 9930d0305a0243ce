/** Ways in which a request ends without an answer. */
export interface Interrupts {
  /** Aborts when the agent cancels its request. */
  readonly withdrawn: AbortSignal;
  /** Aborts when the turn is cancelled. */
  readonly cancelled: AbortSignal;
}

export function isInterrupted({withdrawn, cancelled}: Interrupts): boolean {
  return withdrawn.aborted || cancelled.aborted;
}

/** Calls back when the signal is aborted, or at once if it already is; not after `until`. */
export function whenAborted(signal: AbortSignal, until: AbortSignal, callback: () => void): void {
  if (until.aborted) return;
  if (signal.aborted) callback();
  else signal.addEventListener('abort', callback, {once: true, signal: until});
}
