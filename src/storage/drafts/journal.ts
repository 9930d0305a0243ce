import * as z from 'zod/mini';
import type {Failure} from '../../shared/failure.ts';
import {sentComment} from '../../session/content/sent-comment.ts';
import {jsonOf} from '../../text/json.ts';
import type {Database} from '../database/database.ts';
import type {Sql} from '../database/sqlite.ts';
import {isRunning, ownIdentity, type ProcessIdentity} from '../../shared/processes/process-identity.ts';

/** Stores unsent text, with a row per window or background session, so that a kill loses nothing and processes do not interfere. */
export interface Journal {
  /**
   * Stores the state synchronously, about 0.1 ms; if that takes several milliseconds (a huge paste, a slow disk), later states are stored with a delay. Never
   * throws.
   */
  write(state: JournalState): void;
  /** Returns the unsent text of killed processes in this folder that belongs to no session, newest first. */
  orphans(): Orphan[];
  /** Claims what a session in the background has left, in any folder, which is opened again here; undefined if there is nothing, or no session. */
  ofSession(id: string | undefined): JournalState | undefined;
  /** Writes pending changes, and leaves them to others; an empty row is deleted. */
  close(): void;
}

/** Unsent text of a killed process. */
interface Orphan {
  readonly state: JournalState;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly at: number;
  /** Claims it; false if another process was faster. It is deleted by the next `write`, not earlier. */
  claim(): boolean;
}

interface JournalOptions {
  /** Distinguishes several journals of this process: negative, except for the default. */
  readonly slot?: number;
  /** Absolute. */
  readonly cwd: string;
  /** Returns the id of the stored session to which the text belongs; by default it belongs to none. */
  readonly session?: () => string | undefined;
  /** Called when a write fails (a read-only home, a full disk); the next change is tried again. */
  readonly onProblem: (problem: Failure) => void;
}

/** A slower write would be noticeable while typing. */
const SLOW_WRITE_MS = 8;
/** A slow write is followed by a pause of this many times its duration, up to a limit: a kill during the pause loses what was typed. */
const PAUSE_FACTOR = 10;
const MAX_PAUSE_MS = 100;
/** Time until a write that failed is tried again; twice as long after each time, up to a limit. */
const RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

/** Of a row that nobody has any more. */
const RELEASED: ProcessIdentity = {pid: 0, started: 'released'};

/** The slot of a window's text; claimed rows have higher ones until they are rewritten. */
const OWN_SLOT = 0;

const WRITE = `INSERT INTO drafts (pid, started, slot, cwd, at, state) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (pid, started, slot) DO UPDATE SET cwd = excluded.cwd, at = excluded.at, state = excluded.state`;

const REMOVE_CLAIMED = `DELETE FROM drafts WHERE pid = ? AND started = ? AND slot > ${OWN_SLOT}`;

export function openJournal(
  database: Database,
  {cwd, slot = OWN_SLOT, session, onProblem}: JournalOptions,
): Journal {
  const own = ownIdentity();
  let timer: NodeJS.Timeout | undefined;
  let newest = emptyJournal;
  let isWaiting = false;
  let retryAfter = RETRY_MS;
  let typicalDuration = 0;

  function attempt<T>(action: (sql: Sql) => T): T | undefined {
    const result = database.use(action);
    if (!result.ok) onProblem(result.failure);
    return result.ok ? result.value : undefined;
  }

  function store(): void {
    clearTimeout(timer);
    timer = undefined;
    const before = performance.now();
    const row = [slot, cwd, Date.now(), journalText(cwd, newest, session?.())] as const;
    isWaiting = !attempt((sql) => {
      sql.transaction(() => {
        sql.run(WRITE, own.pid, own.started, ...row);
        sql.run(REMOVE_CLAIMED, own.pid, own.started);
      });
      return true;
    });
    if (isWaiting) timer = setTimeout(store, retryAfter).unref();
    retryAfter = isWaiting ? Math.min(2 * retryAfter, MAX_RETRY_MS) : RETRY_MS;
    // A moving average, so that a single slow write changes little.
    typicalDuration = (typicalDuration + performance.now() - before) / 2;
  }

  return {
    write(state) {
      newest = state;
      isWaiting = true;
      if (typicalDuration < SLOW_WRITE_MS) store();
      else timer ??= setTimeout(store, Math.min(typicalDuration * PAUSE_FACTOR, MAX_PAUSE_MS)).unref();
    },
    orphans: () => left(undefined, (row) => row.cwd === cwd && !isRunning(row)),
    // What this process has claimed is not written yet, or was left. The session may still run in a service of another version.
    ofSession: (id) =>
      id === undefined
        ? undefined
        : left(id, (row) => row.pid === own.pid || !isRunning(row)).find((each) => each.claim())?.state,
    close() {
      if (isWaiting) store();
      clearTimeout(timer);
      const [change, those] = isEmpty(newest)
        ? ['DELETE FROM drafts', `(slot = ? OR slot > ${OWN_SLOT})`]
        : [`UPDATE drafts SET pid = ${RELEASED.pid}, started = '${RELEASED.started}', slot = n`, 'slot = ?'];
      attempt((sql) =>
        sql.run(`${change} WHERE pid = ? AND started = ? AND ${those}`, own.pid, own.started, slot),
      );
    },
  };

  function left(of: string | undefined, isLeft: (row: DraftRow) => boolean): Orphan[] {
    const rows = attempt((sql) => sql.all('SELECT * FROM drafts ORDER BY at DESC')) ?? [];
    const claims = (row: DraftRow) => attempt((sql) => claim(sql, row, own)) ?? false;
    return (rows as DraftRow[]).filter(isLeft).flatMap((row) => orphanOf(row, of, () => claims(row)));
  }
}

interface DraftRow {
  readonly n: number;
  readonly pid: number;
  readonly started: string;
  readonly cwd: string;
  readonly at: number;
  readonly state: string;
}

/** Rows that cannot be parsed are kept for newer versions. */
function orphanOf(row: DraftRow, of: string | undefined, claim: () => boolean): Orphan[] {
  const parsed = parseJournal(row.state);
  if (!parsed || parsed.session !== of || isEmpty(parsed.state)) return [];
  return [{state: parsed.state, at: row.at, claim}];
}

/** Claims the row for this process. */
function claim(sql: Sql, row: DraftRow, own: ProcessIdentity): boolean {
  // Row numbers are unique, so this one is free as a slot.
  const changes = sql.run(
    'UPDATE drafts SET pid = ?, started = ?, slot = n WHERE n = ? AND pid = ? AND started = ?',
    own.pid,
    own.started,
    row.n,
    row.pid,
    row.started,
  );
  return changes === 1;
}

const list = <T extends z.core.SomeType>(of: T) => z.readonly(z.array(of));

/** What belongs to the draft, and to each queued prompt, in order. */
const parts = <T extends z.core.SomeType>(of: T) => z.object({draft: list(of), queue: list(list(of))});

const attachment = z.object({
  path: z.string(),
  name: z.string(),
  kind: z.enum(['file', 'folder', 'image', 'audio']),
  size: z.optional(z.number()),
  lines: z.optional(z.object({first: z.number(), last: z.number()})),
  isFromClipboard: z.optional(z.boolean()),
});

const output = z.object({
  id: z.string(),
  command: z.string(),
  exit: z.object({code: z.nullable(z.number()), signal: z.nullable(z.string())}),
  text: z.string(),
  isCut: z.boolean(),
});

const attached = z.union([
  output,
  z.object({id: z.literal('restored'), sentences: list(z.string())}),
  z.object({id: z.string(), comments: list(sentComment)}),
]);

const schema = z.object({
  v: z.literal(1),
  cwd: z.string(),
  session: z.optional(z.string()),
  draft: z.string(),
  queue: list(z.string()),
  files: z.optional(parts(attachment)),
  outputs: z.optional(parts(attached)),
});

/** Unsent input: drafts with full pastes, queued prompts and their files. */
export type JournalState = Omit<z.infer<typeof schema>, 'v' | 'cwd' | 'session'>;

export const emptyJournal: JournalState = {draft: '', queue: []};

export function isEmpty({draft, queue, outputs}: JournalState): boolean {
  return draft.trim() === '' && queue.length === 0 && !outputs;
}

/** Parses a journal entry; undefined if it is damaged. */
export function parseJournal(
  text: string,
): {readonly cwd: string; readonly session: string | undefined; readonly state: JournalState} | undefined {
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const {cwd, session, draft, queue, files, outputs} = parsed.data;
  return {cwd, session, state: {draft, queue, ...(files && {files}), ...(outputs && {outputs})}};
}

export function journalText(
  cwd: string,
  {draft, queue, files, outputs}: JournalState,
  session?: string,
): string {
  return JSON.stringify({v: 1, cwd, session, draft, queue, files, outputs});
}
