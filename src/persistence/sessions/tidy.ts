import type {Result} from '../../failure.ts';
import {listSessions} from './rows.ts';
import type {StoredSession} from './stored-session.ts';
import {remove, type Shelf} from './user-changes.ts';

/** How much is kept of sessions; without a limit everything. */
export interface Limits {
  /** Sessions in which nothing happened for so many days go. */
  readonly keepDays?: number | undefined;
  /** The oldest ones go when all together take more than this. */
  readonly maxBytes?: number | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** For how long a deletion can be taken back. */
const DELETED_KEPT_MS = DAY_MS;

/**
 * Really removes what was deleted a day ago, and what the limits do not allow; never a session that is open or archived. Gives
 * the sessions that the limits have cost.
 */
export function tidy(
  shelf: Shelf,
  {keepDays, maxBytes = Infinity}: Limits,
  now: number,
): Result<readonly StoredSession[]> {
  const listed = shelf.database.use((sql) => ({
    deleted: listSessions(sql, {include: 'deleted'}),
    kept: listSessions(sql, {include: 'archived'}),
  }));
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
