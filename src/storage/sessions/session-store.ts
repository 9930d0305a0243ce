import type {Result} from '../../shared/failure.ts';
import type {SessionState} from '../../session/state.ts';
import type {Database} from '../database/database.ts';
import {isRunning, ownIdentity} from '../process-identity.ts';
import {reindex, findFile, type ReindexOptions, type Progress, prune, type Limits} from './maintenance.ts';
import {readEndOfFile, readEventFile, sessionFile, type StoredEvents} from './event-file.ts';
import {createRecorder, type Recorder} from './recorder.ts';
import type {RecordingOptions} from './session-recording.ts';
import {findSessions, listSessions} from './session-table.ts';
import {passageOf, searchPassages} from './search-index.ts';
import type {SearchHit, SessionFilter, SessionOrigin, StoredSession} from './stored-session.ts';
import {replay, replayEnd} from './stored-state.ts';
import {moveBack, moveToDeleted, rename, setArchived, markClosed} from './user-changes.ts';

/**
 * The sessions that are stored: a file of events each, which is the truth, and an index of them. Failures (`file`) come back as
 * results; nothing is opened before it is needed. Where an `id` is taken it is our whole one, as `find` gives it.
 */
export interface SessionStore {
  /** Newest first. */
  list(filter?: SessionFilter): Result<readonly StoredSession[]>;
  /** By our id, the agent's, or the beginning of one. `unknown_value` when there is none, or more than one. */
  find(id: string): Result<StoredSession>;
  /**
   * The same, also where the index does not know it (it was lost, or is behind) or cannot be used: reads the file of that name
   * at once, and all others only where an agent's id may be meant.
   */
  locate(id: string): Promise<Result<StoredSession>>;
  /** Passages that have all words of the query, newest first. The last word may be incomplete; "quoted words" follow each other. */
  search(query: string, options?: {readonly limit?: number}): Result<readonly SearchHit[]>;
  /** The whole text in which a search found something. */
  passage(hit: Pick<SearchHit, 'session' | 'entry'>): Result<string>;
  /** Gives a title of the user's, which the agent's no longer replaces; an empty one takes it back. */
  rename(id: string, title: string): Result<void>;
  /** Archived sessions are listed only when asked for, and never removed by themselves. */
  archive(id: string): Result<void>;
  unarchive(id: string): Result<void>;
  /** Hides it at once; a day later it is really removed. `not_offered` while it is open. */
  delete(id: string): Result<void>;
  /** Takes a deletion back. `unknown_value` when it is really removed, `not_offered` when it was not deleted. */
  restore(id: string): Result<void>;
  /** An interrupted session was seen to: it counts as closed from now on. */
  settle(id: string): Result<void>;
  /** What was stored, in order. */
  events(id: string): Promise<Result<StoredEvents>>;
  /** The state that the events lead to, exactly as it was: for a later run see `restoredSession`. */
  state(id: string): Promise<Result<SessionState>>;
  /** The state that its last events lead to, without what came long before: enough to show how it ended, and soon there. */
  end(id: string): Promise<Result<SessionState>>;
  /**
   * Records a conversation. With `continues` in the file of that session, which gets open here: `not_offered` when another
   * process has it open.
   */
  record(origin: SessionOrigin): Result<Recorder>;
  /** Makes the index agree with the files: after a crash, or when it was lost. Gives how many files were read. */
  catchUp(progress?: Progress): Promise<Result<number>>;
  /**
   * Once a day: really removes what was deleted a day ago, and what the limits do not allow; never a session that is open or archived. Gives
   * the sessions that the limits have cost.
   */
  tidy(limits: Limits, now: number): Result<readonly StoredSession[]>;
}

const MAX_HITS = 100;
/** How much of a session's file is read to show how it ended. */
const END_BYTES = 256 * 1024;

interface StoreOptions extends RecordingOptions {
  /** Told of the files of sessions that cannot be read, once for each time that the index catches up. */
  readonly onLeftOut?: ReindexOptions['onLeftOut'];
}

/** `onProblem` is called for what a recorder cannot store. */
export function openSessionStore(options: StoreOptions): SessionStore {
  const {state, database, onLeftOut} = options;

  function find(text: string): Result<StoredSession> {
    const found = database.use((sql) => findSessions(sql, text));
    if (!found.ok) return found;
    const [only, ...others] = found.value;
    if (only && others.length === 0) return {ok: true, value: only};
    const valid = found.value.map(({id}) => id);
    return {ok: false, failure: {kind: 'unknown_value', what: 'session', value: text, valid}};
  }

  async function locate(text: string): Promise<Result<StoredSession>> {
    const near = await reindex(options, {named: text});
    if (!near.ok) return findFile(state, text);
    const found = find(text);
    if (found.ok || (found.failure.kind === 'unknown_value' && found.failure.valid.length > 1)) return found;
    await reindex(options, {onLeftOut});
    return find(text);
  }

  function toFound(id: string, action: (session: StoredSession) => Result<void>): Result<void> {
    const found = find(id);
    return found.ok ? action(found.value) : found;
  }

  async function events(id: string): Promise<Result<StoredEvents>> {
    const kept = await readEventFile(sessionFile(state, id));
    if (kept.ok) return kept;
    const deleted = await readEventFile(sessionFile(state, id, 'deleted'));
    return deleted.ok ? deleted : kept;
  }

  return {
    list: (filter = {}) => database.use((sql) => listSessions(sql, filter)),
    find,
    locate,
    search: (query, {limit = MAX_HITS} = {}) => database.use((sql) => searchPassages(sql, query, limit)),
    passage: ({session, entry}) => database.use((sql) => passageOf(sql, session.id, entry)),
    rename: (id, title) => rename(options, id, title),
    archive: (id) => setArchived(options, id, 1),
    unarchive: (id) => setArchived(options, id, 0),
    delete: (id) => toFound(id, (session) => moveToDeleted(options, session)),
    restore: (id) => toFound(id, (session) => moveBack(options, session)),
    settle: (id) => markClosed(options, id),
    events,
    async state(id) {
      const stored = await events(id);
      return stored.ok ? {ok: true, value: await replay(stored.value)} : stored;
    },
    async end(id) {
      const read = await readEndOfFile(sessionFile(state, id), END_BYTES);
      return read.ok ? {ok: true, value: replayEnd(read.value)} : read;
    },
    record(origin) {
      const {continues} = origin;
      if (continues === undefined) return {ok: true, value: createRecorder(origin, options)};
      const known = claim(database, continues);
      return known.ok ? {ok: true, value: createRecorder(origin, options, known.value)} : known;
    },
    catchUp: (progress) => reindex(options, {progress, onLeftOut}),
    tidy: (limits, now) => prune(options, limits, now),
  };
}

/** Makes the session this process's own, unless another that runs has it. */
function claim(database: Database, id: string): Result<StoredSession> {
  const own = ownIdentity();
  const claimed = database.use((sql) =>
    sql.transaction((): Result<StoredSession> => {
      const session = findSessions(sql, id).find((found) => found.id === id);
      if (!session)
        return {ok: false, failure: {kind: 'unknown_value', what: 'session', value: id, valid: []}};
      const {openBy} = session;
      if (openBy && openBy.pid !== own.pid && isRunning(openBy))
        return {ok: false, failure: openElsewhere(openBy.pid)};
      sql.run('UPDATE sessions SET open_pid = ?, open_started = ? WHERE id = ?', own.pid, own.started, id);
      return {ok: true, value: session};
    }),
  );
  return claimed.ok ? claimed.value : claimed;
}

function openElsewhere(pid: number) {
  return {
    kind: 'not_offered' as const,
    what: 'resuming this session',
    why: `it is open in another acp-tui (process ${pid})`,
  };
}
