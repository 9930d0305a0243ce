import type {SQLInputValue, StatementSync} from 'node:sqlite';
import type * as sqliteModule from 'node:sqlite';

/** An open database with cached prepared statements. The caller knows the type of its rows. */
export interface Sql {
  all(text: string, ...values: SQLInputValue[]): unknown[];
  /** Returns the first row; undefined if there is none. */
  get(text: string, ...values: SQLInputValue[]): unknown;
  /** Returns the number of changed rows. */
  run(text: string, ...values: SQLInputValue[]): number;
  /** Runs an action atomically; in nested calls, only the outermost one commits. */
  transaction<T>(action: () => T): T;
}

export function createSql(database: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>();

  function prepared(text: string): StatementSync {
    const known = statements.get(text);
    if (known) return known;
    const statement = database.prepare(text);
    statements.set(text, statement);
    return statement;
  }

  return {
    all: (text, ...values) => prepared(text).all(...values),
    get: (text, ...values) => prepared(text).get(...values),
    run: (text, ...values) => Number(prepared(text).run(...values).changes),
    transaction(action) {
      if (database.isTransaction) return action();
      // A write lock from the start: upgrading a read transaction may fail without waiting.
      database.exec('BEGIN IMMEDIATE');
      try {
        const value = action();
        database.exec('COMMIT');
        return value;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
  };
}

let loaded: typeof sqliteModule | undefined;

/** `node:sqlite`, loaded on first use. */
export function sqlite(): typeof sqliteModule {
  loaded ??= quietly(() => process.getBuiltinModule('node:sqlite'));
  return loaded;
}

/** Suppresses the experimental warning of some Node versions, which would appear on the screen. */
function quietly<T>(load: () => T): T {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

export type DatabaseSync = sqliteModule.DatabaseSync;
