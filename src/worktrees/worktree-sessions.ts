import {isWithin} from '../shared/files/folders.ts';
import type {SessionStore} from '../storage/sessions/session-store.ts';
import type {StoredSession} from '../storage/sessions/stored-session.ts';
import {isLocked, type WorktreeRecord} from './worktree-record.ts';

/** Returns the sessions of a worktree, the newest first. */
export function sessionsOf(
  {folder}: Pick<WorktreeRecord, 'folder'>,
  store: Pick<SessionStore, 'list'>,
): readonly StoredSession[] {
  const listed = store.list({include: 'archived'});
  return listed.ok ? listed.value.filter(({cwd}) => isWithin(cwd, folder)) : [];
}

/** Returns why a worktree cannot be merged or removed now; undefined if nothing works in it but the session `except`, or another one of this process. */
export function whyInUse(
  record: WorktreeRecord,
  store: Pick<SessionStore, 'list'>,
  except?: string,
): string | undefined {
  const open = sessionsOf(record, store).find(({id, status}) => status === 'open' && id !== except);
  if (open) return `its session ${open.id} is open`;
  return isLocked(record) && record.lock?.pid !== process.pid
    ? `process ${record.lock?.pid ?? ''} has a session in it`
    : undefined;
}
