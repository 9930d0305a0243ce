import type {Result} from '../../failure.ts';
import type {Sql} from '../database/sql.ts';
import {listSessions} from './rows.ts';
import {DEFAULTS} from '../settings-schema.ts';
import type {StoredSession} from './stored-session.ts';
import {remove, type Shelf} from './user-changes.ts';

/** How much is kept of sessions. */
export interface Limits {
  /** Sessions in which nothing happened for so many days go. */
  readonly keepDays?: number | undefined;
  /** The oldest ones go when all together take more than this; 4 GiB where it is left out. */
  readonly maxBytes?: number | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** For how long a deletion can be taken back. */
const DELETED_KEPT_MS = DAY_MS;

/**
 * Once a day: really removes what was deleted a day ago, and what the limits do not allow; never a session that is open or archived. Gives
 * the sessions that the limits have cost.
 */
export function tidy(
  shelf: Shelf,
  {keepDays, maxBytes = DEFAULTS.sessions.maxBytes}: Limits,
  now: number,
): Result<readonly StoredSession[]> {
  const listed = shelf.database.use((sql) => {
    if (now - lastTime(sql) < DAY_MS) return {deleted: [], kept: []};
    sql.run("INSERT OR REPLACE INTO facts (name, value) VALUES ('tidied', ?)", String(now));
    return {
      deleted: listSessions(sql, {include: 'deleted'}),
      kept: listSessions(sql, {include: 'archived'}),
    };
  });
  if (!listed.ok) return listed;
  const {deleted, kept} = listed.value;
  for (const {id, deletedAt = now} of deleted) {
    if (now - deletedAt < DELETED_KEPT_MS) continue;
    const removed = remove(shelf, id);
    if (!removed.ok) return removed;
  }
  const oldest = keepDays === undefined ? -Infinity : now - keepDays * DAY_MS;
  let room = maxBytes;
  const leaving = kept.filter(({bytes, archived, status, updatedAt}) => {
    room -= bytes;
    return !archived && status !== 'open' && (updatedAt < oldest || room < 0);
  });
  for (const {id} of leaving) {
    const removed = remove(shelf, id);
    if (!removed.ok) return removed;
  }
  return {ok: true, value: leaving};
}

function lastTime(sql: Sql): number {
  const row = sql.get("SELECT value FROM facts WHERE name = 'tidied'") as
    {readonly value: string} | undefined;
  return Number(row?.value ?? -Infinity);
}
