import {unsentOf} from '../app/sessions.ts';
import type {SessionEvent} from '../session/events.ts';
import type {SessionState} from '../session/state.ts';
import {statIfAny} from '../storage/files.ts';
import {sessionFile} from '../storage/sessions/event-file.ts';
import type {Journal} from '../storage/drafts/journal.ts';
import type {Recorder} from '../storage/sessions/recorder.ts';
import {emptyQueue, unsentPrompts, type QueueState} from '../session/queue/queue.ts';

/** Stores what happens in a session. */
export interface SessionRecording {
  follow(event: SessionEvent, state: SessionState): void;
  /** The id of its file; undefined if nothing is stored yet. */
  id(): string | undefined;
  /** Returns the file with what is stored so far: its own, or that of the session it is a copy of. */
  position(): {readonly id: string; readonly bytes: number} | undefined;
  close(): void;
}

interface RecordingPlace {
  /** Stores the queue, which is not in the file. */
  readonly journal: Journal | undefined;
  readonly state: string;
  /** The id of the session that it is a copy of. */
  readonly copies: string | undefined;
}

/** Without a recorder nothing is stored. */
export function sessionRecording(
  recorder: Recorder | undefined,
  {state, copies, journal}: RecordingPlace,
): SessionRecording {
  let queue: QueueState = emptyQueue;
  return {
    follow(event, after) {
      recorder?.follow(event, after);
      if (
        after.queue.prompts === queue.prompts &&
        after.queue.outputs === queue.outputs &&
        after.queue.isSending === queue.isSending
      )
        return;
      queue = after.queue;
      journal?.write(unsentOf(unsentPrompts(queue), {text: '', files: [], outputs: queue.outputs}));
    },
    id: () => recorder?.id(),
    position() {
      recorder?.flush();
      const id = recorder?.id() ?? copies;
      const size = id === undefined ? undefined : statIfAny(sessionFile(state, id))?.size;
      return id === undefined || size === undefined ? undefined : {id, bytes: size};
    },
    close() {
      recorder?.close();
      journal?.close();
    },
  };
}
