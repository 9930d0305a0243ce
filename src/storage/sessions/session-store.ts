import {fail, type Result} from '../../shared/failure.ts';
import type {UsageRow} from '../../session/settings/usage.ts';
import type {SessionState} from '../../session/state.ts';
import {nameOfSession} from '../../session/titles.ts';
import {databaseFile, openDatabase, type DatabaseOptions} from '../database/database.ts';
import {isRunning, ownIdentity} from '../../shared/processes/process-identity.ts';
import {
  reindex,
  findFile,
  type ReindexOptions,
  type OnProgress,
  prune,
  type RetentionLimits,
} from './maintenance.ts';
import {
  readEndOfFile,
  readEventFile,
  sessionFile,
  type StoredEvents,
  replay,
  replayEnd,
} from './event-file.ts';
import {createRecorder, type Recorder} from './recorder.ts';
import type {SessionFileOptions} from './session-file.ts';
import {readUsage} from '../usage.ts';
import {findSessions, listSessions, saveRead} from './session-table.ts';
import {passageOf, searchPassages, type SearchOptions} from './search-index.ts';
import type {SearchHit, SessionFilter, SessionOrigin, StoredSession} from './stored-session.ts';
import {moveBack, moveToDeleted, rename, setArchived, markClosed, type StoreHandle} from './user-changes.ts';

/**
 * The stored sessions: an event file each, which is authoritative, and an index of them. Failures (`file`) are returned as results; files are opened on first
 * use. `id` is acp-tui's complete id, as returned by `find`.
 */
export interface SessionStore {
  /** Newest first. */
  list(filter?: SessionFilter): Result<readonly StoredSession[]>;
  /** By acp-tui's id, the agent's, or a prefix. `unknown_value` if there is none, or more than one. */
  find(id: string): Result<StoredSession>;
  /** Returns the sessions of this name, whatever its case: those of the folder `here`, or else of all. */
  named(name: string, here: string): Result<readonly StoredSession[]>;
  /** Finds a session even if the index lacks it or is unusable: reads the file of that name, and all others only if it may be an agent's id. Else by its name, see `named`. */
  locate(text: string, here: string): Promise<Result<StoredSession>>;
  /** Returns the passages with all words of the query, newest first. The last word may be incomplete; "quoted words" must be adjacent. */
  search(query: string, options?: Partial<SearchOptions>): Result<readonly SearchHit[]>;
  /** Its database, in which a thread searches while keys are read: `search-file.ts`. */
  readonly file: string;
  /** Returns the whole text of a search hit. */
  passage(hit: Pick<SearchHit, 'session' | 'entry'>): Result<string>;
  /** Sets the user's title, which takes precedence over the agent's; an empty one removes it. */
  rename(id: string, title: string): Result<void>;
  /** Archived sessions are listed only on request, and never removed automatically. */
  archive(id: string): Result<void>;
  unarchive(id: string): Result<void>;
  /** Hides it at once, and removes it a day later. `not_offered` while it is open. */
  delete(id: string): Result<void>;
  /** Undoes a deletion. `unknown_value` if it was removed already, `not_offered` if it was not deleted. */
  restore(id: string): Result<void>;
  /** A window shows it: what it has done so far is read. */
  markRead(id: string): Result<void>;
  /** Marks an interrupted session as closed, unless it is open again. */
  settle(id: string): Result<void>;
  /** Returns the stored events, in order. */
  events(id: string): Promise<Result<StoredEvents>>;
  /** Returns the state after all events, exactly as it was: for a later run see `restoredSession`. */
  state(id: string): Promise<Result<SessionState>>;
  /** Returns the state after the last events only: fast, and enough to show how it ended. */
  end(id: string): Promise<Result<SessionState>>;
  /** Records a conversation. With `continues`, in the file of that session, which is then open here, and no longer deleted: `not_offered` if another process has it open. */
  record(origin: SessionOrigin): Result<Recorder>;
  /** Returns what all sessions have used since a day. */
  usage(since: string): Result<readonly UsageRow[]>;
  /** Updates the index from the files, after a crash or a loss. Returns the number of files read. */
  reindex(progress?: OnProgress): Promise<Result<number>>;
  /** Once a day: removes sessions deleted a day ago, and applies the limits; never to open or archived sessions. Returns the sessions removed by the limits. */
  prune(limits: RetentionLimits, now: number): Result<readonly StoredSession[]>;
}

const MAX_HITS = 100;
/** Size of the end of a session's file that is read for a preview. */
const END_BYTES = 256 * 1024;

interface StoreOptions extends SessionFileOptions {
  /** Called with the session files that cannot be read, once per update of the index. */
  readonly onLeftOut?: ReindexOptions['onLeftOut'];
}

/** Opens the database of the state folder, and the sessions in it. */
export function openStored(options: Omit<StoreOptions, 'database'> & DatabaseOptions) {
  const database = openDatabase(options.state, options);
  return {database, store: openSessionStore({...options, database})};
}

/** `onProblem` is called for what a recorder cannot store. */
export function openSessionStore(options: StoreOptions): SessionStore {
  const {state, database, onLeftOut} = options;

  function find(text: string): Result<StoredSession> {
    const found = database.use((sql) => findSessions(sql, text));
    return found.ok ? onlyOne(found.value, text) : found;
  }

  async function locate(text: string, here: string): Promise<Result<StoredSession>> {
    const near = await reindex(options, {named: text});
    if (!near.ok) return findFile(state, text);
    const found = find(text);
    if (!isUnknown(found)) return found;
    await reindex(options, {onLeftOut});
    const read = find(text);
    if (!isUnknown(read)) return read;
    const same = sessionsNamed(database, text, here);
    return same.ok ? onlyOne(same.value, text) : same;
  }

  function toFound(id: string, action: (session: StoredSession) => Result<void>): Result<void> {
    const found = find(id);
    return found.ok ? action(found.value) : found;
  }

  const events = (id: string) => storedEvents(state, id);

  return {
    file: databaseFile(state),
    list: (filter = {}) => database.use((sql) => listSessions(sql, filter)),
    find,
    named: (name, here) => sessionsNamed(database, name, here),
    locate,
    search: (query, options) =>
      database.use((sql) => searchPassages(sql, query, {limit: MAX_HITS, ...options})),
    passage: ({session, entry}) => database.use((sql) => passageOf(sql, session.id, entry)),
    rename: (id, title) => rename(options, id, title),
    archive: (id) => setArchived(options, id, 1),
    unarchive: (id) => setArchived(options, id, 0),
    delete: (id) => toFound(id, (session) => moveToDeleted(options, session)),
    restore: (id) => toFound(id, (session) => moveBack(options, session)),
    markRead: (id) => database.use((sql) => saveRead(sql, id, Date.now())),
    settle: (id) => toFound(id, (session) => markClosed(options, session)),
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
      const known = claim(options, continues);
      return known.ok ? {ok: true, value: createRecorder(origin, options, known.value)} : known;
    },
    usage: (since) => database.use((sql) => readUsage(sql, since)),
    reindex: (progress) => reindex(options, {progress, onLeftOut}),
    prune: (limits, now) => prune(options, limits, now),
  };
}

function sessionsNamed(
  database: StoreOptions['database'],
  name: string,
  here: string,
): Result<readonly StoredSession[]> {
  const listed = database.use((sql) => listSessions(sql, {include: 'archived'}));
  if (!listed.ok) return listed;
  const wanted = name.trim().toLowerCase();
  const all = listed.value.filter((session) => nameOfSession(session).toLowerCase() === wanted);
  const inFolder = preferring(all, ({cwd}) => cwd === here);
  // A copy that print mode made has the title of its session.
  return {ok: true, value: preferring(inFolder, isListed)};
}

/** True for a session that the list of all folders has at first: neither an archived one nor a print-mode run. */
export function isListed({archived, byPrint}: StoredSession): boolean {
  return !archived && byPrint !== true;
}

/** Returns those that are preferred, or all if there are none. */
function preferring<T>(all: readonly T[], isPreferred: (one: T) => boolean): readonly T[] {
  const preferred = all.filter(isPreferred);
  return preferred.length > 0 ? preferred : all;
}

/** `unknown_value` if there is none, or more than one. */
function onlyOne(found: readonly StoredSession[], text: string): Result<StoredSession> {
  const [only, ...others] = found;
  if (only && others.length === 0) return {ok: true, value: only};
  return fail({kind: 'unknown_value', what: 'session', value: text, valid: found.map(({id}) => id)});
}

/** True if there is none. */
function isUnknown(found: Result<StoredSession>): boolean {
  return !found.ok && found.failure.kind === 'unknown_value' && found.failure.valid.length === 0;
}

/** Marks the session as open in this process, unless another running one has it open; restores a deleted one. */
function claim(handle: StoreHandle, id: string): Result<StoredSession> {
  const own = ownIdentity();
  const claimed = handle.database.use((sql) =>
    sql.transaction((): Result<StoredSession> => {
      const session = findSessions(sql, id).find((found) => found.id === id);
      if (!session) return fail({kind: 'unknown_value', what: 'session', value: id, valid: []});
      const {openBy} = session;
      if (openBy && openBy.pid !== own.pid && isRunning(openBy)) return fail(openElsewhere(openBy.pid));
      const restored = session.deletedAt === undefined ? undefined : moveBack(handle, session);
      if (restored && !restored.ok) return restored;
      sql.run('UPDATE sessions SET open_pid = ?, open_started = ? WHERE id = ?', own.pid, own.started, id);
      return {ok: true, value: {...session, deletedAt: undefined}};
    }),
  );
  return claimed.ok ? claimed.value : claimed;
}

function openElsewhere(pid: number) {
  return {
    kind: 'not_offered' as const,
    cannot: 'resume this session',
    why: `it is open in another acp-tui (process ${pid})`,
  };
}

async function storedEvents(state: string, id: string): Promise<Result<StoredEvents>> {
  const kept = await readEventFile(sessionFile(state, id));
  if (kept.ok) return kept;
  const deleted = await readEventFile(sessionFile(state, id, 'deleted'));
  return deleted.ok ? deleted : kept;
}
