import {existsSync, renameSync, statSync} from 'node:fs';
import {type Sql, sqlite, type DatabaseSync} from './sqlite.ts';

/** The data that is stored nowhere else, and is recovered from a damaged database. */
const TABLES = ['history', 'drafts'];

/** Copies what can still be read of a damaged database into a new one. */
export function recover(damaged: string, sql: Sql): void {
  let source: DatabaseSync | undefined;
  try {
    source = new (sqlite().DatabaseSync)(damaged);
    for (const table of TABLES) copyTable(source, table, sql);
  } catch {
    // It is not even a database any more.
  } finally {
    source?.close();
  }
}

/** Up to the first row that cannot be read. */
function copyTable(source: DatabaseSync, table: string, sql: Sql): void {
  try {
    for (const row of source.prepare(`SELECT * FROM ${table}`).iterate()) {
      const columns = Object.keys(row);
      const places = columns.map(() => '?').join(', ');
      sql.run(
        `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${places})`,
        ...Object.values(row),
      );
    }
  } catch {
    // The rest is lost.
  }
}

/**
 * Moves a damaged database out of the way, and gives its new name; undefined when another process has already done it: `inode` is
 * the file that was found damaged.
 */
export function quarantine(file: string, inode: bigint | undefined): string | undefined {
  if (inode !== undefined && inodeOf(file) !== inode) return undefined;
  const kept = `${file}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  // What belongs to the damaged file would damage a new one of its name.
  for (const ending of ['', '-wal', '-shm']) {
    if (existsSync(file + ending)) renameSync(file + ending, kept + ending);
  }
  return kept;
}

/** Which file this is, whatever its name; undefined when there is none. */
export function inodeOf(file: string): bigint | undefined {
  return statSync(file, {bigint: true, throwIfNoEntry: false})?.ino;
}
