import {existsSync} from 'node:fs';
import type {Result} from '../../failure.ts';
import {fileFailure} from '../private-files.ts';
import {databaseFile} from './database.ts';
import {sqlite} from './sqlite.ts';

/** What SQLite says of the database of a state folder, which is only read. */
export interface DatabaseHealth {
  readonly exists: boolean;
  /** `ok`, or what is wrong. */
  readonly check: string;
}

/** Looks at the database; the failure `file` where it cannot be read, or is none. */
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
    return {ok: false, failure: fileFailure(file, error)};
  }
}
