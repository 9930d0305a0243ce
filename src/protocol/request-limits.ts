import {RequestError} from '@agentclientprotocol/sdk/unstable';
import {LIMITS} from '../shared/limits.ts';

/** What kind of limit a request counts towards, beside that of all requests. */
export type RequestKind = 'question' | 'other';

/** Counts the requests of an agent; `run` rejects with a JSON-RPC error past a limit. */
export interface RequestLimits {
  run<T>(kind: RequestKind, handle: () => Promise<T>): Promise<T>;
}

/** `limited` hears once of each limit that was reached, in a sentence for the user. */
export function createRequestLimits(limited: (text: string) => void): RequestLimits {
  const told = new Set<string>();
  const open = {question: 0, other: 0};
  let second = {since: 0, count: 0};

  function refuse(what: string): never {
    if (!told.has(what)) limited(`The agent had ${what} and wanted more, which was refused.`);
    told.add(what);
    throw new RequestError(-32603, `Too many at once: there are ${what} already.`, {reason: 'limit'});
  }

  function check(kind: RequestKind): void {
    const now = performance.now();
    if (now - second.since >= 1000) second = {since: now, count: 0};
    if (++second.count > LIMITS.requestsPerSecond)
      refuse(`${LIMITS.requestsPerSecond} requests in one second`);
    if (open.question + open.other >= LIMITS.requests) refuse(`${LIMITS.requests} unanswered requests`);
    if (kind === 'question' && open.question >= LIMITS.questions)
      refuse(`${LIMITS.questions} unanswered questions`);
  }

  return {
    async run(kind, handle) {
      check(kind);
      open[kind]++;
      try {
        return await handle();
      } finally {
        open[kind]--;
      }
    },
  };
}
