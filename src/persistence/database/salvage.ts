import type {Sql} from './sql.ts';
import {sqlite, type DatabaseSync} from './sqlite.ts';

/** What stands nowhere else, and so is worth looking for in a damaged database. */
const TABLES = ['history', 'drafts'];

/** Copies what can still be read of a damaged database into a new one. */
export function salvage(damaged: string, sql: Sql): void {
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
