/** Ends a download that is called off, or from which too little comes. */
export interface Timeouts {
  /** For the request. */
  readonly signal: AbortSignal;
  /** So many bytes came. */
  readonly onData: (bytes: number) => void;
  /** Why it ended the download, if it did. */
  readonly verdict: () => 'called_off' | 'stalled' | undefined;
  readonly end: () => void;
}

/** A server that sends single bytes is as good as silent: so many count as something. */
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
