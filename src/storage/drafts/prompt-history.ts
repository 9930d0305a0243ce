import {createHash} from 'node:crypto';
import type {Failure} from '../../shared/failure.ts';
import type {Database} from '../database/database.ts';
import type {Sql} from '../database/sqlite.ts';

/** Earlier prompts of all projects, without duplicates within a project. */
export interface PromptHistory {
  /** Returns the prompts of this project and of all others, as far as readable. */
  read(): StoredPrompts;
  /** Stores a prompt synchronously, about 0.1 ms. Never throws. */
  add(text: string): void;
}

/** Prompts, oldest first. */
interface StoredPrompts {
  readonly project: readonly string[];
  /** Those of all other projects. */
  readonly everywhere: readonly string[];
}

interface HistoryOptions {
  /** Absolute; its prompts come first. */
  readonly cwd: string;
  /** The maximum number of prompts in each list. */
  readonly limit: number;
  /** Now, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when a write fails. */
  readonly onProblem: (problem: Failure) => void;
}

/** Longer prompts are not stored: they contain pastes, and would slow down every start. */
const MAX_ENTRY_LENGTH = 100_000;
/** Maximum number of prompts over all projects. */
const MAX_ENTRIES = 50_000;

export function openHistory(database: Database, {cwd, limit, now, onProblem}: HistoryOptions): PromptHistory {
  return {
    read() {
      const read = database.use((sql) => ({
        project: ofProject(sql, cwd, limit),
        everywhere: ofOthers(sql, cwd, limit),
      }));
      return read.ok ? read.value : {project: [], everywhere: []};
    },
    add(text) {
      const added = database.use((sql) => sql.transaction(() => addToHistory(sql, cwd, text, now())));
      if (!added.ok) onProblem(added.failure);
    },
  };
}

/** Adds a prompt, replacing an equal one of the same project. */
export function addToHistory(sql: Sql, cwd: string, text: string, at: number): void {
  if (text.trim() === '' || text.length > MAX_ENTRY_LENGTH) return;
  const hash = createHash('sha256').update(text).digest('base64');
  sql.run('INSERT OR REPLACE INTO history (cwd, hash, at, text) VALUES (?, ?, ?, ?)', cwd, hash, at, text);
  sql.run('DELETE FROM history WHERE n <= (SELECT max(n) FROM history) - ?', MAX_ENTRIES);
}

function ofProject(sql: Sql, cwd: string, limit: number): string[] {
  return textsOf(sql.all('SELECT text FROM history WHERE cwd = ? ORDER BY n DESC LIMIT ?', cwd, limit));
}

/** Each text once, by its last use. */
function ofOthers(sql: Sql, cwd: string, limit: number): string[] {
  const rows = sql.all(
    'SELECT text, max(n) AS newest FROM history WHERE cwd <> ? GROUP BY hash ORDER BY newest DESC LIMIT ?',
    cwd,
    limit,
  );
  return textsOf(rows);
}

/** Newest last. */
function textsOf(rows: unknown[]): string[] {
  return (rows as {readonly text: string}[]).map(({text}) => text).reverse();
}
