import type {SQLInputValue, StatementSync} from 'node:sqlite';
import type * as sqliteModule from 'node:sqlite';

/** An open database whose statements are prepared once. Who asks knows what its rows hold. */
export interface Sql {
  all(text: string, ...values: SQLInputValue[]): unknown[];
  /** The first row; undefined when there is none. */
  get(text: string, ...values: SQLInputValue[]): unknown;
  /** Gives the number of rows that were changed. */
  run(text: string, ...values: SQLInputValue[]): number;
  /** All of it or nothing; may be nested, then the outermost one counts. */
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
      // At once for writing: a reader that becomes a writer may be refused without being made to wait.
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

/** `node:sqlite`, loaded when it is first needed. */
export function sqlite(): typeof sqliteModule {
  loaded ??= quietly(() => process.getBuiltinModule('node:sqlite'));
  return loaded;
}

/** Some Node versions warn when it is loaded that it is experimental; that warning would land on the screen. */
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
