import {HISTORY_KEPT} from '../../app/editor/history.ts';
import type {AppEvent} from '../../app/events.ts';
import type {UnsentInput} from '../../app/sessions.ts';
import type {AppState, RecentSession} from '../../app/state.ts';
import {skippedNotice, notStoredNotice} from '../../window/sessions/storage-notices.ts';
import {displayAgentName} from '../../session/labels/labels.ts';
import {nameOfSession} from '../../session/titles.ts';
import type {Failure} from '../../shared/failure.ts';
import {journalDrafts} from '../../window/sessions/journal-drafts.ts';
import {openJournal, type Journal} from '../../storage/drafts/journal.ts';
import {openHistory} from '../../storage/drafts/prompt-history.ts';
import {recordWindow, type WindowRecording} from '../../window/sessions/record-window.ts';
import {openStored, type SessionStore} from '../../storage/sessions/session-store.ts';
import type {RetentionLimits} from '../../storage/sessions/maintenance.ts';
import type {Store} from '../../shared/store.ts';

/** Persistent storage of a window: sessions, drafts, history. */
export interface WindowStorage {
  readonly sessions: SessionStore;
  readonly recording: WindowRecording;
  readonly saveHistory: (text: string) => void;
  /** Loads the history, recent sessions and unsent text of earlier windows, and starts storing drafts. After the first paint, since it reads the disk. */
  load(restore: (unsent: UnsentInput) => void): void;
  /** Returns what a session in the background has not sent, which this window resumes, if it resumes one. */
  unsentOf(id: string | undefined): UnsentInput | undefined;
  /** Stops storing drafts; sessions are still recorded. */
  closeDrafts(): void;
  /** Call it when all sessions have ended. */
  close(): void;
}

interface StorageSetup {
  /** The folder of its first session. */
  readonly cwd: string;
  /** The state folder. */
  readonly state: string;
  /** False to store nothing; what is stored can still be read. */
  readonly save: boolean;
  readonly limits: RetentionLimits;
  /** The file in which protocol messages are recorded. */
  readonly recordedIn?: string | undefined;
  /** Shows a notice in the window. */
  readonly warn: (text: string) => void;
}

/** Opens and reads nothing yet. A failure to store something is reported once, and the chat continues. */
export function createWindowStorage(store: Store<AppState, AppEvent>, options: StorageSetup): WindowStorage {
  const {cwd, limits, state, recordedIn, save, warn} = options;
  const warned = new Set<string>();
  let journal: Journal | undefined;
  let closeDrafts = () => {};

  function onProblem(problem: Failure): void {
    const text = notStoredNotice(problem, state);
    if (warned.has(text)) return;
    warned.add(text);
    // Not during an event: the notice is an event itself.
    queueMicrotask(() => warn(text));
  }

  const {database, store: sessions} = openStored({
    state,
    onDamaged(sentence) {
      queueMicrotask(() => warn(sentence));
      void sessions.reindex();
    },
    onProblem,
    onLeftOut: (failures) => warn(skippedNotice(failures)),
    recordedIn,
  });
  const recording = recordWindow(store, save ? sessions : undefined);
  const history = openHistory(database, {cwd, limit: HISTORY_KEPT, now: Date.now, onProblem});
  const flush = () => recording.flush();
  process.once('exit', flush);

  return {
    sessions,
    recording,
    saveHistory: (text) => void (save && history.add(text)),
    load(restore) {
      store.dispatch({type: 'history_loaded', history: history.read()});
      store.dispatch({type: 'changed', change: {recentSessions: recentSessions(sessions, cwd)}});
      if (!save) return;
      const drafts = (journal = openJournal(database, {cwd, onProblem}));
      const writeLast = journalDrafts(store, {journal, restore});
      void sessions.reindex().then(() => {
        const removed = sessions.prune(limits, Date.now());
        if (removed.ok && removed.value.length > 0) warn(removedSentence(removed.value.length));
      });
      closeDrafts = () => {
        writeLast();
        drafts.close();
      };
    },
    unsentOf: (id) => journal?.ofSession(id),
    closeDrafts: () => closeDrafts(),
    close() {
      process.off('exit', flush);
      recording.close();
      database.close();
    },
  };
}

/** Number of sessions on the start card. */
const RECENT = 3;

/** Returns a folder's last sessions with messages. */
function recentSessions(sessions: SessionStore, cwd: string): readonly RecentSession[] {
  const listed = sessions.list({cwd, ofWindows: true, limit: 2 * RECENT});
  const now = Date.now();
  return (listed.ok ? listed.value : [])
    .filter(({turns, status}) => turns > 0 && status !== 'open')
    .slice(0, RECENT)
    .map((stored) => ({
      name: nameOfSession(stored),
      age: now - stored.updatedAt,
      agent: displayAgentName(stored.agent.name ?? stored.agent.label),
    }));
}

function removedSentence(count: number): string {
  const what = count === 1 ? 'One session was' : `${count} sessions were`;
  return `${what} removed by the setting "sessions" (keepDays, maxBytes).`;
}
