import {readdirSync, statSync} from 'node:fs';
import {basename, join} from 'node:path';
import type {Result} from '../../failure.ts';
import type {Database} from '../database/database.ts';
import {isRunning} from '../process-identity.ts';
import {isMark, readEventFile, sessionFile, sessionsFolder} from './event-file.ts';
import {factsOf, isTurn, withMark, withState} from './facts.ts';
import {passagesOf, savePassages, saveTitle} from './passages.ts';
import {saveSession, type SessionFacts} from './rows.ts';
import {replay} from './stored-state.ts';
import type {Shelf} from './user-changes.ts';

interface Known {
  readonly id: string;
  readonly bytes: number;
  readonly deleted_at: number | null;
  readonly open_pid: number | null;
  readonly open_started: string | null;
}

/** Told of each file that was read. */
export type Progress = (read: number, of: number) => void;

/**
 * Makes the index agree with the files: adds those that it does not know (it was lost, or could not be written), reads again
 * those whose process was killed before it told the index of the newest events, and forgets those that are gone. Gives how many
 * were read.
 */
export async function catchUp({state, database}: Shelf, progress?: Progress): Promise<Result<number>> {
  const listed = database.use(
    (sql) => sql.all('SELECT id, bytes, deleted_at, open_pid, open_started FROM sessions') as Known[],
  );
  if (!listed.ok) return listed;
  const known = new Map(listed.value.map((row) => [row.id, row]));
  const files = [...filesIn(state, 'kept'), ...filesIn(state, 'deleted')];
  const behind = files.filter((file) => {
    const row = known.get(file.id);
    known.delete(file.id);
    return !row || isBehind(row, file);
  });
  let read = 0;
  for (const file of oldestFirst(behind)) {
    const indexed = await indexFile(file, database);
    if (!indexed.ok) return indexed;
    read++;
    progress?.(read, behind.length);
  }
  return forget([...known.keys()], database, read);
}

interface SessionFile {
  readonly id: string;
  readonly path: string;
  readonly deletedAt: number | undefined;
}

function filesIn(state: string, place: 'kept' | 'deleted'): SessionFile[] {
  const folder = place === 'kept' ? sessionsFolder(state) : join(sessionsFolder(state), 'deleted');
  return namesIn(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => {
      const id = basename(name, '.ndjson');
      const path = sessionFile(state, id, place);
      return {id, path, deletedAt: place === 'deleted' ? Date.now() : undefined};
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What is indexed last is found first. */
function oldestFirst(files: readonly SessionFile[]): readonly SessionFile[] {
  return files
    .map((file) => ({...file, changed: statSync(file.path, {throwIfNoEntry: false})?.mtimeMs ?? 0}))
    .sort((one, other) => one.changed - other.changed);
}

/** Those of a running process are its own business. */
function isBehind(row: Known, {path, deletedAt}: SessionFile): boolean {
  if ((row.deleted_at === null) !== (deletedAt === undefined)) return true;
  if (row.open_pid === null) return false;
  if (isRunning({pid: row.open_pid, started: row.open_started ?? ''})) return false;
  return statSync(path, {throwIfNoEntry: false})?.size !== row.bytes;
}

/** What cannot be read is passed over: it may be that of a newer version. */
async function indexFile({path, deletedAt}: SessionFile, database: Database): Promise<Result<void>> {
  const read = await readEventFile(path);
  if (!read.ok) return {ok: true, value: undefined};
  const {header, lines} = read.value;
  const state = await replay(read.value);
  const marked = lines.filter(isMark).reduce(withMark, withState(factsOf(header), state, 0));
  const facts: SessionFacts = {
    ...marked,
    updatedAt: lines.findLast(isTurn)?.at ?? header.created,
    bytes: statSync(path, {throwIfNoEntry: false})?.size ?? 0,
    deletedAt,
  };
  return database.use((sql) =>
    sql.transaction(() => {
      saveSession(sql, facts);
      sql.run('UPDATE sessions SET deleted_at = ? WHERE id = ?', deletedAt ?? null, facts.id);
      saveTitle(sql, facts.id);
      savePassages(sql, {id: facts.id, from: 0}, passagesOf(state.entries, 0, 0));
    }),
  );
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
