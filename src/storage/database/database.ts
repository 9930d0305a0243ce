import {chmodSync, existsSync} from 'node:fs';
import {join} from 'node:path';
import {fileFailed as fileFailure} from '../../shared/files/file-failure.ts';
import type {Result} from '../../shared/failure.ts';
import {makeFolder, PRIVATE_FILE} from '../../shared/files/safe-files.ts';
import {MIGRATIONS} from './migrations.ts';
import {recover, inodeOf, quarantine} from './recover.ts';
import {createSql, type Sql, sqlite, type DatabaseSync} from './sqlite.ts';

/**
 * Session index, full text, history and drafts in one SQLite file, opened on first use. Several processes use it concurrently (WAL); a commit survives a kill
 * of the process, but the last ones may be lost in a power failure.
 */
export interface Database {
  /** Failures (`file`): it cannot be opened, read or written, or has a newer version. */
  use<T>(action: (sql: Sql) => T): Result<T>;
  close(): void;
}

export interface DatabaseOptions {
  /** Called with a sentence when a damaged database was quarantined; sessions can be reindexed from their files. Without it a damaged one stays in its place. */
  readonly onDamaged?: (sentence: string) => void;
}

/** How long to wait for another writing process, in milliseconds. */
const BUSY_TIMEOUT_MS = 5000;

/** SQLite's primary result codes for a file that is not a database, or damaged. */
const DAMAGED = new Set([11, 26]);

interface Opened {
  readonly connection: DatabaseSync;
  readonly sql: Sql;
  /** Identifies the open file. */
  readonly inode: bigint | undefined;
}

export function databaseFile(folder: string): string {
  return join(folder, 'acp-tui.sqlite');
}

/** Opens the database of a state folder, and creates it if it is missing. */
export function openDatabase(folder: string, {onDamaged}: DatabaseOptions = {}): Database {
  const file = databaseFile(folder);
  let opened: Opened | undefined;

  function close(): void {
    const {connection} = opened ?? {};
    opened = undefined;
    if (connection?.isOpen) connection.close();
  }

  function attempt<T>(action: (sql: Sql) => T): T {
    // Quarantined by another process, or deleted: no process would read what is written to it.
    if (opened && inodeOf(file) !== opened.inode) close();
    opened ??= open(folder, file);
    return action(opened.sql);
  }

  function recovered<T>(action: (sql: Sql) => T): T {
    const inode = opened?.inode;
    close();
    const kept = quarantine(file, inode);
    opened = open(folder, file);
    if (kept !== undefined) {
      const {sql} = opened;
      sql.transaction(() => recover(kept, sql));
      onDamaged?.(damagedSentence(kept));
    }
    return action(opened.sql);
  }

  return {
    use(action) {
      try {
        return {ok: true, value: attempt(action)};
      } catch (error) {
        if (!isDamage(error) || !onDamaged) return failed(file, error);
      }
      try {
        return {ok: true, value: recovered(action)};
      } catch (error) {
        return failed(file, error);
      }
    },
    close,
  };
}

function open(folder: string, file: string): Opened {
  makeFolder(folder);
  const {DatabaseSync} = sqlite();
  const connection = new DatabaseSync(file, {timeout: BUSY_TIMEOUT_MS});
  try {
    chmodSync(file, PRIVATE_FILE);
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    const sql = createSql(connection);
    migrate(connection, sql);
    return {connection, sql, inode: inodeOf(file)};
  } catch (error) {
    connection.close();
    throw error;
  }
}

function migrate(connection: DatabaseSync, sql: Sql): void {
  if (versionOf(sql) === MIGRATIONS.length) return;
  sql.transaction(() => {
    // Another process may have migrated it first.
    const version = versionOf(sql);
    if (version > MIGRATIONS.length) throw new NewerDatabase();
    for (const migration of MIGRATIONS.slice(version)) connection.exec(migration);
    connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function versionOf(sql: Sql): number {
  return (sql.get('PRAGMA user_version') as {readonly user_version: number}).user_version;
}

class NewerDatabase extends Error {
  override message = 'a newer version of acp-tui has written it; update acp-tui to use it';
}

function damagedSentence(kept: string): string {
  return `The database of sessions, drafts and history was damaged. What could be read was copied to a new one; the damaged file is kept as ${kept}.`;
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && DAMAGED.has(Number(error.errcode) & 0xff);
}

function failed(file: string, error: unknown): Result<never> {
  // Only errors from outside of the program are expected failures.
  if (!(error instanceof Error) || !('code' in error || error instanceof NewerDatabase)) throw error;
  return fileFailure(file, error);
}

/** The state of the database, read-only. */
interface DatabaseHealth {
  readonly exists: boolean;
  /** `ok`, or the problem. */
  readonly check: string;
}

/** Examines the database; fails with `file` if it cannot be read or is not a database. */
export function databaseHealth(folder: string): Result<DatabaseHealth> {
  const file = databaseFile(folder);
  if (!existsSync(file)) return {ok: true, value: {exists: false, check: 'ok'}};
  try {
    const connection = new (sqlite().DatabaseSync)(file, {readOnly: true});
    try {
      const row = connection.prepare('PRAGMA quick_check(1)').get();
      return {ok: true, value: {exists: true, check: String(row?.['quick_check'])}};
    } finally {
      connection.close();
    }
  } catch (error) {
    return fileFailure(file, error);
  }
}
