import type {Update} from '../session/events.ts';

/** An update that the agent sent. */
export interface Heard {
  readonly sessionId: string;
  /** As `performance.now()` tells it. */
  readonly at: number;
  readonly update: Update;
}

/** What an agent told in `session/update`. */
export interface Hearing {
  readonly add: (sessionId: string, update: Update) => void;
  /** All so far. */
  readonly heard: readonly Heard[];
  /** Resolves with the next one of the session. */
  readonly next: (sessionId: string) => Promise<Heard>;
}

export function createHearing(): Hearing {
  const heard: Heard[] = [];
  const waiting = new Set<(heard: Heard) => void>();
  return {
    heard,
    add(sessionId, update) {
      const one = {sessionId, at: performance.now(), update};
      heard.push(one);
      for (const listener of waiting) listener(one);
    },
    next(sessionId) {
      const {promise, resolve} = Promise.withResolvers<Heard>();
      const listener = (one: Heard) => {
        if (one.sessionId !== sessionId) return;
        waiting.delete(listener);
        resolve(one);
      };
      waiting.add(listener);
      return promise;
    },
  };
}
