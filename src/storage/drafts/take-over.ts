import {existsSync, readdirSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod/mini';
import type {Database} from '../database/database.ts';
import type {Sql} from '../database/sqlite.ts';
import {parseJournal} from './journal.ts';
import {isRunning, type ProcessIdentity} from '../process-identity.ts';
import {addToHistory} from './prompt-history.ts';
import {jsonOf} from '../../text/json.ts';
import {readRegularFile} from '../files.ts';

/** Takes the history and the drafts of versions that kept them in files into the database, once: the files go. */
export function takeOverFiles(state: string, database: Database): void {
  const history = join(state, 'history.jsonl');
  const journal = join(state, 'journal');
  if (existsSync(history) && database.use((sql) => takeOverHistory(sql, history)).ok)
    rmSync(history, {force: true});
  if (existsSync(journal)) database.use((sql) => takeOverJournal(sql, journal));
}

const lineSchema = z.object({at: z.number(), cwd: z.string(), text: z.string()});

function takeOverHistory(sql: Sql, file: string): void {
  sql.transaction(() => {
    for (const line of readRegularFile(file).split('\n')) {
      const parsed = lineSchema.safeParse(jsonOf(line));
      if (parsed.success) addToHistory(sql, parsed.data);
    }
  });
}

const FILE_NAME = /^(\d+)-(\d*)(?:\.\d+)?\.json$/;

/** Those of processes that still run are left to them. */
function takeOverJournal(sql: Sql, folder: string): void {
  for (const name of readdirSync(folder)) {
    const owner = ownerOf(name);
    const file = join(folder, name);
    if (!owner || isRunning(owner)) continue;
    const text = readRegularFile(file);
    const parsed = parseJournal(text);
    if (!parsed) continue;
    sql.run(
      `INSERT OR IGNORE INTO drafts (pid, started, slot, cwd, at, state)
       VALUES (?, ?, (SELECT 1 + coalesce(max(n), 0) FROM drafts), ?, ?, ?)`,
      owner.pid,
      owner.started,
      parsed.cwd,
      Math.trunc(statSync(file).mtimeMs),
      text,
    );
    rmSync(file, {force: true});
  }
}

function ownerOf(fileName: string): ProcessIdentity | undefined {
  const [, pid, started] = FILE_NAME.exec(fileName) ?? [];
  return pid === undefined ? undefined : {pid: Number(pid), started: started ?? ''};
}
