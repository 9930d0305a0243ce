import {basename, join} from 'node:path';
import type {SessionState} from '../../session/state.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import type {Database} from '../database/database.ts';
import type {Sql} from '../database/sqlite.ts';
import {namesIn, statIfAny} from '../../shared/files/safe-files.ts';
import {isRunning} from '../../shared/processes/process-identity.ts';
import {MAX_STORED_BYTES} from '../../shared/limits.ts';
import {isMark, readEventFile, sessionFile, sessionsFolder, replay} from './event-file.ts';
import {passagesOf, savePassages, saveTitle} from './search-index.ts';
import {
  sessionMetaOf,
  isTurn,
  withMark,
  withState,
  saveSession,
  type SessionFacts,
  listSessions,
} from './session-table.ts';
import type {StoredSession} from './stored-session.ts';
import {type StoreHandle, remove} from './user-changes.ts';

interface Known {
  readonly id: string;
  readonly bytes: number;
  readonly deleted_at: number | null;
  readonly open_pid: number | null;
  readonly open_started: string | null;
}

const KNOWN = 'id, bytes, deleted_at, open_pid, open_started';

/** Called after each file. */
export type OnProgress = (read: number, of: number) => void;

/** Options of `reindex`. */
export interface ReindexOptions {
  readonly progress?: OnProgress | undefined;
  /** Only sessions whose id starts with this. */
  readonly named?: string;
  /** Called with the files that cannot be read. */
  readonly onLeftOut?: ((failures: readonly Failure[]) => void) | undefined;
}

/**
 * Updates the index from the files: adds unknown sessions (the index was lost, or not writable), rereads those whose process was killed before indexing its
 * last events, and removes those without a file. Returns the number of files read.
 */
export async function reindex(
  {state, database}: StoreHandle,
  {progress, named = '', onLeftOut}: ReindexOptions = {},
): Promise<Result<number>> {
  const listed = database.use((sql) => sql.all(`SELECT ${KNOWN} FROM sessions`) as Known[]);
  if (!listed.ok) return listed;
  const isMeant = ({id}: {readonly id: string}) => id.startsWith(named);
  const known = new Map(listed.value.filter(isMeant).map((row) => [row.id, row]));
  const files = [...filesIn(state, 'kept'), ...filesIn(state, 'deleted')].filter(isMeant);
  const behind = files.filter((file) => {
    const row = known.get(file.id);
    known.delete(file.id);
    return !row || isBehind(row, file);
  });
  let read = 0;
  const leftOut: Failure[] = [];
  for (const file of oldestFirst(behind)) {
    const stored = await readSession(file);
    const indexed = stored.ok ? saveWhole(stored.value, database) : stored;
    if (stored.ok && !indexed.ok) return indexed;
    if (!stored.ok) leftOut.push(stored.failure);
    read++;
    progress?.(read, behind.length);
  }
  if (leftOut.length > 0) onLeftOut?.(leftOut);
  return forget([...known.keys()], database, read);
}

interface FoundFile {
  readonly id: string;
  readonly path: string;
  readonly deletedAt: number | undefined;
}

function filesIn(state: string, place: 'kept' | 'deleted'): FoundFile[] {
  const folder = place === 'kept' ? sessionsFolder(state) : join(sessionsFolder(state), 'deleted');
  return namesIn(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => {
      const id = basename(name, '.ndjson');
      const path = sessionFile(state, id, place);
      return {id, path, deletedAt: place === 'deleted' ? Date.now() : undefined};
    });
}

/** What is indexed last is found first. */
function oldestFirst(files: readonly FoundFile[]): readonly FoundFile[] {
  return files
    .map((file) => ({...file, changed: statIfAny(file.path)?.mtimeMs ?? 0}))
    .sort((one, other) => one.changed - other.changed);
}

/** Sessions open in a running process are up to date. */
function isBehind(row: Known, {path, deletedAt}: FoundFile): boolean {
  if ((row.deleted_at === null) !== (deletedAt === undefined)) return true;
  if (row.open_pid === null || isOpen(row)) return false;
  return statIfAny(path)?.size !== row.bytes;
}

function isOpen({open_pid: pid, open_started: started}: Known): boolean {
  return pid !== null && isRunning({pid, started: started ?? ''});
}

/** A session read from its file. */
interface WholeSession {
  readonly facts: SessionFacts;
  readonly state: SessionState;
}

async function readSession({path, deletedAt}: FoundFile): Promise<Result<WholeSession>> {
  const read = await readEventFile(path);
  if (!read.ok) return read;
  const {header, lines} = read.value;
  const state = await replay(read.value);
  const marked = lines.filter(isMark).reduce(withMark, withState(sessionMetaOf(header), state, 0));
  const facts: SessionFacts = {
    ...marked,
    updatedAt: lines.findLast(isTurn)?.at ?? header.created,
    bytes: statIfAny(path)?.size ?? 0,
    deletedAt,
  };
  return {ok: true, value: {facts, state}};
}

function saveWhole({facts, state}: WholeSession, database: Database): Result<void> {
  return database.use((sql) =>
    sql.transaction(() => {
      const known = sql.get(`SELECT ${KNOWN} FROM sessions WHERE id = ?`, facts.id) as Known | undefined;
      // It was opened while its file was read: that process indexes it.
      if (known && isOpen(known)) return;
      saveSession(sql, facts);
      sql.run('UPDATE sessions SET deleted_at = ? WHERE id = ?', facts.deletedAt ?? null, facts.id);
      saveTitle(sql, facts.id);
      savePassages(sql, {id: facts.id, from: 0}, passagesOf(state, {first: 0, from: 0}));
    }),
  );
}

/** Finds a stored session by its file alone, if the index is unusable. `unknown_value` if there is none, or more than one. */
export async function findFile(state: string, text: string): Promise<Result<StoredSession>> {
  const files = filesIn(state, 'kept').filter(({id}) => id.startsWith(text));
  const [only, ...others] = files;
  if (!only || others.length > 0)
    return {
      ok: false,
      failure: {kind: 'unknown_value', what: 'session', value: text, valid: files.map(({id}) => id)},
    };
  const read = await readSession(only);
  return read.ok ? {ok: true, value: {...read.value.facts, status: 'closed'}} : read;
}

function forget(ids: readonly string[], database: Database, read: number): Result<number> {
  if (ids.length === 0) return {ok: true, value: read};
  return database.use((sql) => {
    sql.transaction(() => {
      for (const id of ids) sql.run('DELETE FROM sessions WHERE id = ?', id);
    });
    return read;
  });
}

/** Retention limits of sessions. */
export interface RetentionLimits {
  /** Sessions without activity for this many days are deleted. */
  readonly keepDays?: number | undefined;
  /** The oldest sessions are deleted if all together exceed this; default 4 GiB. */
  readonly maxBytes?: number | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a deletion can be undone. */
const DELETED_KEPT_MS = DAY_MS;

/** Once a day: removes sessions deleted a day ago, and applies the limits; never to open or archived sessions. Returns the sessions removed by the limits. */
export function prune(
  handle: StoreHandle,
  {keepDays, maxBytes = MAX_STORED_BYTES}: RetentionLimits,
  now: number,
): Result<readonly StoredSession[]> {
  const listed = handle.database.use((sql) => {
    // The clock may have been ahead then.
    if (Math.abs(now - lastTime(sql)) < DAY_MS) return {deleted: [], kept: []};
    sql.run("INSERT OR REPLACE INTO facts (name, value) VALUES ('tidied', ?)", String(now));
    return {
      deleted: listSessions(sql, {include: 'deleted'}),
      kept: listSessions(sql, {include: 'archived'}),
    };
  });
  if (!listed.ok) return listed;
  const {deleted, kept} = listed.value;
  for (const {id, deletedAt = now, status} of deleted) {
    if (now - deletedAt < DELETED_KEPT_MS || status === 'open') continue;
    const removed = remove(handle, id);
    if (!removed.ok) return removed;
  }
  const oldest = keepDays === undefined ? -Infinity : now - keepDays * DAY_MS;
  let room = maxBytes;
  const leaving = kept.filter(({bytes, archived, status, updatedAt}) => {
    room -= bytes;
    return !archived && status !== 'open' && (updatedAt < oldest || room < 0);
  });
  for (const {id} of leaving) {
    const removed = remove(handle, id);
    if (!removed.ok) return removed;
  }
  return {ok: true, value: leaving};
}

function lastTime(sql: Sql): number {
  const row = sql.get("SELECT value FROM facts WHERE name = 'tidied'") as
    {readonly value: string} | undefined;
  return Number(row?.value ?? -Infinity);
}
