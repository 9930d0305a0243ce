import {existsSync, renameSync, statSync} from 'node:fs';
import {type Sql, sqlite, type DatabaseSync} from './sqlite.ts';

/** The data that is stored nowhere else, and is recovered from a damaged database. */
const TABLES = ['history', 'drafts', 'usage'];

/** Copies readable data from a damaged database into a new one. */
export function recover(damaged: string, sql: Sql): void {
  let source: DatabaseSync | undefined;
  try {
    source = new (sqlite().DatabaseSync)(damaged);
    for (const table of TABLES) copyTable(source, table, sql);
  } catch {
    // It may not even be a database any more.
  } finally {
    source?.close();
  }
}

/** Copies up to the first unreadable row. */
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

/** Renames a damaged database, and returns its new name; undefined if another process did that already: `inode` identifies the damaged file. */
export function quarantine(file: string, inode: bigint | undefined): string | undefined {
  if (inode !== undefined && inodeOf(file) !== inode) return undefined;
  const kept = `${file}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  // Its WAL files would damage a new database of the same name.
  for (const ending of ['', '-wal', '-shm']) {
    if (existsSync(file + ending)) renameSync(file + ending, kept + ending);
  }
  return kept;
}

/** Identifies the file independently of its name; undefined if it does not exist. */
export function inodeOf(file: string): bigint | undefined {
  return statSync(file, {bigint: true, throwIfNoEntry: false})?.ino;
}
