import type {Folders} from '../../shared/files/session-folders.ts';
import type {Opening} from '../../session/events.ts';
import {restoredSession} from '../../session/lifecycle/opening.ts';
import type {SessionState} from '../../session/state.ts';
import type {Result} from '../../shared/failure.ts';
import {isFolder} from '../../shared/files/folders.ts';
import type {SessionStore} from '../../storage/sessions/session-store.ts';
import type {StoredSession} from '../../storage/sessions/stored-session.ts';
import {failureSentence} from '../../shared/failure-messages.ts';

const UNREADABLE =
  'The stored session cannot be read; only what the agent sends is shown. It may have been confined, so it is now, unless you start it with --no-sandbox.';

/** An earlier session: the agent's id, if known, and what is stored of it. */
interface EarlierSession extends Folders {
  readonly sessionId: string | undefined;
  readonly stored: Pick<StoredSession, 'id' | 'status'> | undefined;
}

/** A session that is ready to be resumed. */
interface Resumed {
  readonly folders: Folders;
  readonly opening: Exclude<Opening, {kind: 'newest'}>;
  /** The stored conversation, if there is one. */
  readonly session: SessionState | undefined;
  /** True if it is stored, and cannot be read. */
  readonly isUnreadable: boolean;
  /** What has changed since, in sentences for the user. */
  readonly problems: readonly string[];
}

/**
 * Prepares to resume a session, for the command line and the list alike. `instead` replaces a working folder that no longer exists. A session that cannot be
 * read here and is unknown to an agent is the failure of reading it.
 */
export async function resume(
  {sessionId, stored, ...folders}: EarlierSession,
  store: Pick<SessionStore, 'state'>,
  {fork, instead}: {readonly fork: boolean; readonly instead: string},
): Promise<Result<Resumed>> {
  const storedState = stored && (await store.state(stored.id));
  if (storedState && !storedState.ok && sessionId === undefined) return storedState;
  const isOpen = stored?.status === 'open';
  const there = await findExistingFolders(folders, instead);
  return {
    ok: true,
    value: {
      folders: there.folders,
      opening: sessionId === undefined ? {kind: 'later'} : {kind: 'continue', sessionId, fork},
      session: storedState?.ok ? restoredSession(storedState.value, Date.now(), {isOpen}) : undefined,
      isUnreadable: storedState?.ok === false,
      problems:
        storedState && !storedState.ok
          ? [`${UNREADABLE} ${failureSentence(storedState.failure)}`, ...there.problems]
          : there.problems,
    },
  };
}

/**
 * Returns the folders of an earlier session that still exist: a moved or deleted folder must not make the conversation inaccessible. `instead` replaces the
 * working folder; `problems` reports changes in sentences.
 */
export async function findExistingFolders(
  {cwd, additionalDirectories, realFolders}: Folders,
  instead: string,
): Promise<{readonly folders: Folders; readonly problems: readonly string[]}> {
  const [hasCwd, ...has] = await Promise.all([cwd, ...additionalDirectories].map(isFolder));
  const gone = additionalDirectories.filter((_, index) => !has[index]);
  return {
    folders: {
      cwd: hasCwd ? cwd : instead,
      additionalDirectories: additionalDirectories.filter((_, index) => has[index]),
      realFolders,
    },
    problems: [
      ...(hasCwd ? [] : [`The session folder ${cwd} no longer exists; using ${instead}.`]),
      ...gone.map((folder) => `${folder}, another folder of this session, no longer exists and is skipped.`),
    ],
  };
}
