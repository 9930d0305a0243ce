import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Update} from '../../session/events.ts';

/**
 * Decides which `session/update` belongs to the open session or to one of its subagents. Updates may come before the answer that
 * names the session, and before the one that announces a subagent: those are kept until it is known. Updates of other sessions go to the
 * log, never into this one.
 */
export interface UpdateRouter {
  receive(sessionId: acp.SessionId, update: Update): void;
  /** A session is about to be opened: updates of sessions not known yet are kept. */
  expect(): void;
  /** From now on `sessionId` is the open session; what came early for it is delivered at once. */
  open(sessionId: acp.SessionId): void;
  /** No session is open: it could not be loaded. */
  close(): void;
}

/** More than any agent sends before its session is open, or its subagent announced. */
const MAX_EARLY = 10_000;

interface Early {
  readonly sessionId: acp.SessionId;
  readonly update: Update;
}

interface RouterOptions {
  readonly deliver: (sessionId: acp.SessionId, update: Update) => void;
  readonly stray: (sessionId: acp.SessionId, update: Update) => void;
  /** True for a session that was announced as that of a subagent. */
  readonly isSubagent: (sessionId: acp.SessionId) => boolean;
}

export function createUpdateRouter({deliver, stray, isSubagent}: RouterOptions): UpdateRouter {
  let openId: acp.SessionId | undefined;
  let expecting = false;
  let early: Early[] = [];

  const belongs = (sessionId: acp.SessionId) =>
    openId !== undefined && (sessionId === openId || isSubagent(sessionId));

  function receive(sessionId: acp.SessionId, update: Update): void {
    if (belongs(sessionId)) {
      deliver(sessionId, update);
      if (update.sessionUpdate === 'subagent_update') release();
      return;
    }
    const isKept = early.length < MAX_EARLY;
    if (isKept) early.push({sessionId, update});
    if (!expecting || !isKept) stray(sessionId, update);
  }

  /** What has come too early for a subagent that is known by now is delivered in its order. */
  function release(): void {
    const waiting = early;
    early = [];
    for (const each of waiting)
      if (belongs(each.sessionId)) receive(each.sessionId, each.update);
      else early.push(each);
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
      for (const each of waiting) receive(each.sessionId, each.update);
    },
    close() {
      openId = undefined;
    },
  };
}
