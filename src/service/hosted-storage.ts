import {toUnsent} from '../app/sessions.ts';
import type {SessionEvent} from '../session/events.ts';
import type {SessionState} from '../session/state.ts';
import {statIfAny} from '../shared/files/safe-files.ts';
import {sessionFile} from '../storage/sessions/event-file.ts';
import type {Journal} from '../storage/drafts/journal.ts';
import type {Recorder} from '../storage/sessions/recorder.ts';
import type {SessionStore} from '../storage/sessions/session-store.ts';
import {emptyQueue, unsentPrompts, type QueueState} from '../session/queue/queue.ts';

/** Stores what happens in a session. */
export interface HostedStorage {
  follow(event: SessionEvent, state: SessionState): void;
  /** The id of its file; undefined if nothing is stored yet. */
  id(): string | undefined;
  /** Returns the size of that file with all that happened so far, in bytes; undefined if something is missing in it, as on a full disk. */
  storedBytes(): number | undefined;
  /** True if a window or an editor has shown it since its last turn. */
  isRead(): boolean;
  close(): void;
}

interface StoragePlace {
  /** Stores the queue, which is not in the file. */
  readonly journal?: Journal;
  readonly state: string;
  readonly sessions?: Pick<SessionStore, 'find'>;
}

/** Without a recorder nothing is stored. */
export function hostedStorage(
  recorder: Recorder | undefined,
  {state, journal, sessions}: StoragePlace,
): HostedStorage {
  let queue: QueueState = emptyQueue;
  return {
    follow(event, after) {
      recorder?.follow(event, after);
      if (
        after.queue.prompts === queue.prompts &&
        after.queue.outputs === queue.outputs &&
        after.queue.isSending === queue.isSending &&
        after.queue.limit === queue.limit
      )
        return;
      queue = after.queue;
      journal?.write(toUnsent(unsentPrompts(queue), {text: '', files: [], outputs: queue.outputs}));
    },
    id: () => recorder?.id(),
    storedBytes() {
      const isWhole = recorder?.flush();
      const id = recorder?.id();
      return id === undefined || !isWhole ? undefined : statIfAny(sessionFile(state, id))?.size;
    },
    isRead() {
      const id = recorder?.id();
      const stored = id === undefined ? undefined : sessions?.find(id);
      return !stored?.ok || stored.value.updatedAt <= (stored.value.readAt ?? 0);
    },
    close() {
      recorder?.close();
      journal?.close();
    },
  };
}
