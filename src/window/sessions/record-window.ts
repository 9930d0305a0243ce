import type {AppEvent} from '../../app/events.ts';
import type {AppState, SessionKey} from '../../app/state.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import type {Store} from '../../shared/store.ts';
import type {Recorder} from '../../storage/sessions/recorder.ts';
import type {SessionStore} from '../../storage/sessions/session-store.ts';
import {recordSession, sessionOrigin, type StartOptions} from '../../storage/sessions/record-session.ts';
import type {ResumeOrigin} from '../../storage/sessions/stored-session.ts';

/** Records the sessions of a window. */
export interface WindowRecording {
  /**
   * Starts recording a session of the window; with `continues`, in the file of a stored one, see `SessionStore.record`, or in a copy if another window has it
   * open. Closes the previous recording of this key.
   */
  begin(key: SessionKey, options: StartOptions, before?: ResumeOrigin): RecordingBegun;
  /** A session that another process stores, under the id that is returned. */
  follow(key: SessionKey, id: () => string | undefined): void;
  /** Returns acp-tui's id of this key's recording; undefined if it is not stored, or has nothing to store yet. */
  id(key: SessionKey): string | undefined;
  /** For abrupt exits: writes buffered lines, and leaves the sessions interrupted. */
  flush(): void;
  close(): void;
}

/** `elsewhere`: why it is a copy. */
export type RecordingBegun = Result<{readonly elsewhere?: Failure}>;

/** Without a store nothing is recorded. */
export function recordWindow(
  store: Store<AppState, AppEvent>,
  sessions: SessionStore | undefined,
): WindowRecording {
  const recorders = new Map<SessionKey, Recorder>();
  const ofOthers = new Map<SessionKey, () => string | undefined>();
  function end(key: SessionKey): void {
    recorders.get(key)?.close();
    recorders.delete(key);
    ofOthers.delete(key);
  }

  const unfollow = store.onEvent((event, state) => {
    if (event.type === 'session_removed') end(event.key);
    if (event.type !== 'session') return;
    const tab = state.sessions[event.key];
    if (tab) recorders.get(event.key)?.follow(event.event, tab.session);
  });
  function flush(isLast: boolean): void {
    for (const recorder of recorders.values()) recorder.flush(isLast);
  }
  // Before what is published is drawn: a process that is killed then would lose what was seen.
  const stopFlushing = store.subscribe(() => flush(false));

  return {
    begin(key, options, before = {}) {
      end(key);
      if (!sessions) return {ok: true, value: {}};
      const session = store.latest().sessions[key]?.session;
      const recorded = recordSession(sessions, sessionOrigin(options, before, session));
      if (recorded.ok) recorders.set(key, recorded.value.recorder);
      return recorded;
    },
    follow(key, id) {
      end(key);
      ofOthers.set(key, id);
    },
    id: (key) => ofOthers.get(key)?.() ?? recorders.get(key)?.id(),
    flush: () => flush(true),
    close() {
      unfollow();
      stopFlushing();
      for (const recorder of recorders.values()) recorder.close();
    },
  };
}
