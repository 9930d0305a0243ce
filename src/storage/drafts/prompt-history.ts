import {createHash} from 'node:crypto';
import {HISTORY_KEPT, type History} from '../../app/editor/history.ts';
import type {Failure} from '../../shared/failure.ts';
import type {Database} from '../database/database.ts';
import type {Sql} from '../database/sqlite.ts';

/** Earlier prompts of all projects, without duplicates within a project. */
export interface PromptHistory {
  /** Returns the prompts of this project and of all others, as far as readable. */
  read(): History;
  /** Stores a prompt synchronously, about 0.1 ms. Never throws. */
  add(text: string): void;
}

interface HistoryOptions {
  /** Absolute; its prompts come first. */
  readonly cwd: string;
  /** Now, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when a write fails. */
  readonly onProblem: (problem: Failure) => void;
}

/** Longer prompts are not stored: they contain pastes, and would slow down every start. */
const MAX_ENTRY_LENGTH = 100_000;
/** Maximum number of prompts over all projects. */
const MAX_ENTRIES = 50_000;

export function openHistory(database: Database, {cwd, now, onProblem}: HistoryOptions): PromptHistory {
  return {
    read() {
      const read = database.use((sql) => ({project: ofProject(sql, cwd), everywhere: ofOthers(sql, cwd)}));
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

function ofProject(sql: Sql, cwd: string): string[] {
  return textsOf(
    sql.all('SELECT text FROM history WHERE cwd = ? ORDER BY n DESC LIMIT ?', cwd, HISTORY_KEPT),
  );
}

/** Each text once, by its last use. */
function ofOthers(sql: Sql, cwd: string): string[] {
  const rows = sql.all(
    'SELECT text, max(n) AS newest FROM history WHERE cwd <> ? GROUP BY hash ORDER BY newest DESC LIMIT ?',
    cwd,
    HISTORY_KEPT,
  );
  return textsOf(rows);
}

/** Newest last. */
function textsOf(rows: unknown[]): string[] {
  return (rows as {readonly text: string}[]).map(({text}) => text).reverse();
}
