import {closeSync, constants, openSync, renameSync, rmSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';
import {DONE, fail, type Result} from '../../shared/failure.ts';
import {tryFileOperation} from '../../shared/files/file-failure.ts';
import type {SessionEvent} from '../../session/events.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Database} from '../database/database.ts';
import type {Sql} from '../database/sqlite.ts';
import {makeFolder, statIfAny} from '../../shared/files/safe-files.ts';
import {sessionFile} from './event-file.ts';
import {lineOf, type SessionMark} from './event-lines.ts';
import {saveTitle} from './search-index.ts';
import type {StoredSession} from './stored-session.ts';

/** The database and folder of stored sessions. */
export interface StoreHandle {
  /** The state folder. */
  readonly state: string;
  readonly database: Database;
}

/* The user's changes to a stored session are made to its file before the index, so that they survive the index. */

/** An empty title removes the user's. */
export function rename(handle: StoreHandle, id: string, title: string): Result<void> {
  return change(handle, id, {
    file: (path) => appendLine(path, {type: 'renamed', title, agentKnows: false, at: Date.now()}),
    index(sql) {
      const newTitle = sanitizeLine(title).trim();
      const [text, by] = newTitle === '' ? [null, null] : [newTitle, 'user'];
      sql.run('UPDATE sessions SET title = ?, titled_by = ? WHERE id = ?', text, by, id);
      saveTitle(sql, id);
    },
  });
}

export function setArchived(handle: StoreHandle, id: string, archived: 0 | 1): Result<void> {
  return change(handle, id, {
    file: (path) => appendLine(path, {mark: 'archived', archived: archived === 1, at: Date.now()}),
    index: (sql) => void sql.run('UPDATE sessions SET archived = ? WHERE id = ?', archived, id),
  });
}

/** Another process may have opened it since it was found interrupted. */
export function markClosed(handle: StoreHandle, {id, status, openBy}: StoredSession): Result<void> {
  if (status !== 'interrupted' || !openBy) return DONE;
  const closed =
    'UPDATE sessions SET open_pid = NULL, open_started = NULL WHERE id = ? AND open_pid = ? AND open_started = ?';
  return change(handle, id, {
    file: (path) => appendLine(path, {mark: 'closed', at: Date.now()}),
    index: (sql) => void sql.run(closed, id, openBy.pid, openBy.started),
  });
}

export function moveToDeleted(handle: StoreHandle, {id, status}: StoredSession): Result<void> {
  if (status === 'open') {
    const why = `it runs: close it in its window, or end it with acp-tui service stop ${id}`;
    return fail({kind: 'not_offered', cannot: 'delete this session', why});
  }
  return change(handle, id, {
    file: (path) => move(path, sessionFile(handle.state, id, 'deleted')),
    index: (sql) => void sql.run('UPDATE sessions SET deleted_at = ? WHERE id = ?', Date.now(), id),
  });
}

export function moveBack(handle: StoreHandle, {id, deletedAt}: StoredSession): Result<void> {
  if (deletedAt === undefined)
    return fail({kind: 'not_offered', cannot: 'restore this session', why: 'it is not deleted'});
  const path = sessionFile(handle.state, id);
  if (statIfAny(path))
    return fail({kind: 'not_offered', cannot: 'restore this session', why: `${path} exists already`});
  return change(handle, id, {
    file: () => move(sessionFile(handle.state, id, 'deleted'), path),
    index: (sql) => void sql.run('UPDATE sessions SET deleted_at = NULL WHERE id = ?', id),
  });
}

/** Cannot be undone. */
export function remove(handle: StoreHandle, id: string): Result<void> {
  return change(handle, id, {
    file(path) {
      rmSync(path, {force: true});
      rmSync(sessionFile(handle.state, id, 'deleted'), {force: true});
    },
    index: (sql) => void sql.run('DELETE FROM sessions WHERE id = ?', id),
  });
}

function change(
  {state, database}: StoreHandle,
  id: string,
  {file, index}: {readonly file: (path: string) => void; readonly index: (sql: Sql) => void},
): Result<void> {
  const path = sessionFile(state, id);
  const changed = tryFileOperation(path, () => file(path));
  return changed.ok ? database.use((sql) => sql.transaction(() => index(sql))) : changed;
}

function appendLine(path: string, line: SessionMark | SessionEvent): void {
  // The previous line may be partial.
  const handle = openSync(path, constants.O_WRONLY | constants.O_APPEND);
  try {
    writeSync(handle, `\n${lineOf(line)}`);
  } finally {
    closeSync(handle);
  }
}

function move(from: string, to: string): void {
  makeFolder(dirname(to));
  renameSync(from, to);
}
