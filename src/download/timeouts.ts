/** Aborts a download that is cancelled or stalls. */
export interface Timeouts {
  /** For the request. */
  readonly signal: AbortSignal;
  /** Call it with the number of received bytes. */
  readonly onData: (bytes: number) => void;
  /** Returns why it aborted the download, if it did. */
  readonly verdict: () => 'called_off' | 'stalled' | undefined;
  readonly end: () => void;
}

/** Minimum data that counts as progress: a server that sends single bytes is stalled. */
const ENOUGH_BYTES = 1024;

export function createTimeouts(idleMs: number, calledOff?: AbortSignal): Timeouts {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), idleMs);
  let bytes = 0;
  return {
    signal: calledOff ? AbortSignal.any([calledOff, stalled.signal]) : stalled.signal,
    onData(more) {
      bytes += more;
      if (bytes < ENOUGH_BYTES) return;
      bytes = 0;
      timer.refresh();
    },
    verdict: () => (calledOff?.aborted ? 'called_off' : stalled.signal.aborted ? 'stalled' : undefined),
    end: () => clearTimeout(timer),
  };
}
