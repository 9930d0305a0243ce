import {LIMITS} from '../shared/limits.ts';

/** Responses with content that the agent has not read yet. Past a limit no more are created until it has read some. */
export interface Outbox {
  /** Creates a response as soon as there is room for it; stops waiting when `signal` aborts. */
  answer<T>(make: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Call it for everything passed to the agent. */
  sent(message: object): void;
}

/** The largest response: a file of 10 MiB. */
const MAX_SIZE = 10 * 1024 * 1024;

export function createOutbox(limit: number = LIMITS.unreadBytes): Outbox {
  /** Sizes of responses that are queued. */
  const sizes = new WeakMap<object, number>();
  const waiting = new Set<() => void>();
  let unread = 0;
  let making = 0;

  function hasRoom(): boolean {
    return unread + making === 0 || unread + making + MAX_SIZE <= limit;
  }

  function freed(): void {
    for (const go of waiting) {
      if (!hasRoom()) return;
      waiting.delete(go);
      making += MAX_SIZE;
      go();
    }
  }

  function room(signal: AbortSignal): Promise<void> {
    if (waiting.size === 0 && hasRoom()) {
      making += MAX_SIZE;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(go);
        reject(new Error('withdrawn'));
      };
      if (signal.aborted) return giveUp();
      signal.addEventListener('abort', giveUp, {once: true});
      waiting.add(go);
    });
  }

  return {
    async answer(make, signal) {
      await room(signal);
      try {
        const answer = await make();
        if (typeof answer === 'object' && answer !== null && !signal.aborted) {
          const bytes = bytesOf(answer);
          sizes.set(answer, bytes);
          unread += bytes;
        }
        return answer;
      } finally {
        making -= MAX_SIZE;
        freed();
      }
    },
    sent(message) {
      const answer = 'result' in message ? message.result : undefined;
      if (typeof answer !== 'object' || answer === null) return;
      unread -= sizes.get(answer) ?? 0;
      sizes.delete(answer);
      freed();
    },
  };
}

/** Approximate size of the strings in a response, in bytes. */
function bytesOf(answer: object): number {
  return Object.values(answer).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );
}
