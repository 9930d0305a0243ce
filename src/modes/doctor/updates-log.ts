import type {Update} from '../../session/events.ts';

/** Part of a message; without text for other content. */
export interface LoggedUpdate {
  readonly sessionId: string;
  /** By the clock of `performance.now()`. */
  readonly at: number;
  readonly by: 'user' | 'agent';
  readonly text: string;
}

/** A log of the `session/update` notifications of an agent. */
export interface UpdatesLog {
  readonly add: (sessionId: string, update: Update) => void;
  /** Returns all updates so far, up to a limit. */
  readonly updates: readonly LoggedUpdate[];
  /** The last title it sent for any session; undefined if none. */
  readonly title: () => string | undefined;
  /** Resolves on the next update of the session, of any kind. */
  readonly next: (sessionId: string) => Promise<void>;
}

/** More than any agent sends, unless it floods the client; in UTF-16 units. */
const MAX_UNITS = 16 * 1024 * 1024;
/** The overhead of an update. */
const UNITS_OF_PIECE = 100;

export function createUpdatesLog(): UpdatesLog {
  const updates: LoggedUpdate[] = [];
  const waiting = new Set<(sessionId: string) => void>();
  let units = 0;
  let title: string | undefined;
  return {
    updates,
    title: () => title,
    add(sessionId, update) {
      if (update.sessionUpdate === 'session_info_update') title = update.title ?? title;
      const piece = pieceOf(update);
      units += piece ? piece.text.length + UNITS_OF_PIECE : 0;
      if (piece && units <= MAX_UNITS) updates.push({sessionId, at: performance.now(), ...piece});
      for (const listener of waiting) listener(sessionId);
    },
    next(sessionId) {
      const {promise, resolve} = Promise.withResolvers<void>();
      const listener = (of: string) => {
        if (of !== sessionId) return;
        waiting.delete(listener);
        resolve();
      };
      waiting.add(listener);
      return promise;
    },
  };
}

function pieceOf(update: Update): Pick<LoggedUpdate, 'by' | 'text'> | undefined {
  const {sessionUpdate} = update;
  if (sessionUpdate !== 'user_message_chunk' && sessionUpdate !== 'agent_message_chunk') return undefined;
  const {content} = update;
  return {
    by: sessionUpdate === 'user_message_chunk' ? 'user' : 'agent',
    text: content.type === 'text' ? content.text : '',
  };
}
