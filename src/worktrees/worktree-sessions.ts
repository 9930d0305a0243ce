import {join, relative} from 'node:path';
import {isWithin} from '../shared/files/folders.ts';
import type {SessionStore} from '../storage/sessions/session-store.ts';
import type {StoredSession} from '../storage/sessions/stored-session.ts';
import {isLocked, readRecords, writeRecord, type WorktreeRecord} from './worktree-record.ts';

/** Returns the sessions of a worktree, the newest first. */
export function sessionsOf(
  {folder}: Pick<WorktreeRecord, 'folder'>,
  store: Pick<SessionStore, 'list'>,
): readonly StoredSession[] {
  const listed = store.list({include: 'archived'});
  return listed.ok ? listed.value.filter(({cwd}) => isWithin(cwd, folder)) : [];
}

/** The worktree that a session works in. */
interface WorktreePlace extends Pick<WorktreeRecord, 'name' | 'branch'> {
  /** The folder of the source that corresponds to the session's. */
  readonly source: string;
}

/** Returns the worktree that a folder is in; undefined for none. */
export function worktreeOf(
  cwd: string,
  records: readonly Pick<WorktreeRecord, 'name' | 'branch' | 'folder' | 'source'>[],
): WorktreePlace | undefined {
  const record = records.find(({folder}) => isWithin(cwd, folder));
  if (!record) return undefined;
  const {name, branch, folder, source} = record;
  return {name, branch, source: join(source, relative(folder, cwd))};
}

/** Unlocks the worktree of a session of this process that has ended, unless others of its sessions, in these folders, work in it, too. */
export function unlockWorktreeOf(state: string, cwd: string, others: readonly string[]): void {
  for (const record of readRecords(state)) {
    const {folder, step, lock} = record;
    const isOwn = lock?.pid === process.pid && step.kind === 'ready' && isWithin(cwd, folder);
    if (isOwn && !others.some((other) => isWithin(other, folder)))
      writeRecord(state, record, {lock: undefined});
  }
}

/** A session that works in a worktree, and what else runs in the background service, stored or not. */
interface OwnSession {
  readonly id: string | undefined;
  readonly service?:
    {readonly pid: number; readonly sessions: readonly Pick<StoredSession, 'id' | 'cwd'>[]} | undefined;
}

/** Returns why a worktree cannot be merged or removed now; undefined if nothing works in it but the session `except`, or another one of this process. */
export function whyInUse(
  record: WorktreeRecord,
  store: Pick<SessionStore, 'list'>,
  except?: OwnSession,
): string | undefined {
  const stored = sessionsOf(record, store).filter(({status}) => status === 'open');
  const running = except?.service?.sessions.filter(({cwd}) => isWithin(cwd, record.folder)) ?? [];
  const other = [...stored, ...running].find(({id}) => id !== except?.id);
  if (other) return `its session ${other.id} is open`;
  // The lock of a process all of whose sessions are known says nothing more.
  return isLocked(record) && ![process.pid, except?.service?.pid].includes(record.lock?.pid)
    ? `process ${record.lock?.pid ?? ''} has a session in it`
    : undefined;
}
