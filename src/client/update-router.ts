import type {Update} from '../session/events.ts';

/**
 * Decides which `session/update` belongs to the open session. Updates may come before the answer that names the session:
 * those are kept until it is known. Updates of other sessions go to the log, never into this one.
 */
export interface UpdateRouter {
  receive(sessionId: string, update: Update): void;
  /** A session is about to be opened: updates of sessions not known yet are kept. */
  expect(): void;
  /** From now on `sessionId` is the open session; what came early for it is delivered at once. */
  open(sessionId: string): void;
  /** No session is open: it could not be loaded. */
  close(): void;
}

/** More than any agent sends before its session is open. */
const MAX_EARLY = 10_000;

export function createUpdateRouter(sinks: {
  deliver: (update: Update) => void;
  stray: (sessionId: string, update: Update) => void;
}): UpdateRouter {
  let openId: string | undefined;
  let expecting = false;
  let early: {sessionId: string; update: Update}[] = [];

  function receive(sessionId: string, update: Update): void {
    if (sessionId === openId) sinks.deliver(update);
    else if (expecting && early.length < MAX_EARLY) early.push({sessionId, update});
    else sinks.stray(sessionId, update);
  }

  return {
    receive,
    expect() {
      expecting = true;
    },
    open(sessionId) {
      openId = sessionId;
      expecting = false;
      const waiting = early;
      early = [];
      for (const item of waiting) receive(item.sessionId, item.update);
    },
    close() {
      openId = undefined;
    },
  };
}
