import {stat} from 'node:fs/promises';
import type {Opening} from '../../session/events.ts';
import {restoredSession} from '../../session/lifecycle/restore.ts';
import type {SessionState} from '../../session/state.ts';
import type {Result} from '../../shared/failure.ts';
import type {SessionStore} from '../../storage/sessions/session-store.ts';
import type {StoredSession} from '../../storage/sessions/stored-session.ts';
import {unreadableNotice} from './storage-notices.ts';

/** A session of before: what its agent calls it, where that is known, and what we stored of it. */
interface EarlierSession extends Folders {
  readonly sessionId: string | undefined;
  readonly stored: Pick<StoredSession, 'id'> | undefined;
}

/** What it takes to go on with a session. */
interface Resumed {
  readonly folders: Folders;
  readonly opening: Exclude<Opening, {kind: 'newest'}>;
  /** What was said, where we stored it. */
  readonly session: SessionState | undefined;
  /** What is not as it was, in sentences for the user. */
  readonly problems: readonly string[];
}

/**
 * Prepares to go on with a session: from the command line and from the list, alike. `instead` takes the place of a working folder that
 * is gone. A session that neither can be read here nor is known to an agent is the failure why it cannot be read.
 */
export async function resume(
  {sessionId, stored, ...folders}: EarlierSession,
  store: Pick<SessionStore, 'state'>,
  {fork, instead}: {readonly fork: boolean; readonly instead: string},
): Promise<Result<Resumed>> {
  const kept = stored && (await store.state(stored.id));
  if (kept && !kept.ok && sessionId === undefined) return kept;
  const there = await findExistingFolders(folders, instead);
  return {
    ok: true,
    value: {
      folders: there.folders,
      opening: sessionId === undefined ? {kind: 'later'} : {kind: 'continue', sessionId, fork},
      session: kept?.ok ? restoredSession(kept.value, Date.now()).session : undefined,
      problems: kept && !kept.ok ? [unreadableNotice(kept.failure), ...there.problems] : there.problems,
    },
  };
}

interface Folders {
  /** Absolute, like the others. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
}

/**
 * The folders of a session of before, as far as they are still there: one that was moved or deleted must not take the conversation
 * with it. `instead` takes the place of the working folder; `problems` says in sentences what is another one now.
 */
async function findExistingFolders(
  {cwd, additionalDirectories}: Folders,
  instead: string,
): Promise<{readonly folders: Folders; readonly problems: readonly string[]}> {
  const [hasCwd, ...has] = await Promise.all([cwd, ...additionalDirectories].map(isFolder));
  const gone = additionalDirectories.filter((_, index) => !has[index]);
  return {
    folders: {
      cwd: hasCwd ? cwd : instead,
      additionalDirectories: additionalDirectories.filter((_, index) => has[index]),
    },
    problems: [
      ...(hasCwd ? [] : [`The session folder ${cwd} no longer exists; using ${instead}.`]),
      ...gone.map((folder) => `${folder}, another folder of this session, no longer exists and is skipped.`),
    ],
  };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
