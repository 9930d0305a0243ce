import {resolve} from 'node:path';
import type {SessionsFilter} from '../../cli/sessions/commands.ts';
import {quoted} from '../../agent-words.ts';
import {failureSentence} from '../../errors.ts';
import type {Failure} from '../../failure.ts';
import type {StoredSession} from '../../persistence/sessions/stored-session.ts';
import type {SessionsContext} from './context.ts';

const NO_SUCH_SESSION = 4;
const USAGE = 2;
const FAILED = 1;

/** The session that is meant, or the exit code after saying why there is none. */
export async function sessionMeant(
  id: string,
  {store, stderr}: Pick<SessionsContext, 'store' | 'stderr'>,
): Promise<{readonly session: StoredSession} | {readonly exitCode: number}> {
  const found = await store.locate(id);
  if (found.ok) return {session: found.value};
  const {failure} = found;
  if (failure.kind !== 'unknown_value') return {exitCode: say(failure, stderr)};
  if (failure.valid.length === 0) {
    stderr(`acp-tui: There is no session "${quoted(id)}". acp-tui sessions lists those that there are.\n`);
    return {exitCode: NO_SUCH_SESSION};
  }
  stderr(
    `acp-tui: Several sessions begin with "${quoted(id)}": ${failure.valid.join(', ')}. Type more of the one that you mean.\n`,
  );
  return {exitCode: USAGE};
}

/** Says what went wrong; gives the exit code. */
export function say(failure: Failure, stderr: SessionsContext['stderr']): number {
  stderr(`acp-tui: ${failureSentence(failure)}\n`);
  return failure.kind === 'file' || failure.kind === 'not_offered' ? FAILED : USAGE;
}

/** Whether a session passes. */
export function passes(
  {agent, cwd, newerThanMs, olderThanMs}: SessionsFilter,
  context: Pick<SessionsContext, 'now' | 'cwd'>,
): (session: StoredSession) => boolean {
  const folder = cwd === undefined ? undefined : resolve(context.cwd, cwd);
  const wanted = agent?.toLowerCase();
  const now = context.now();
  return (session) => {
    const names = [session.agent.label, session.agent.name ?? ''];
    const ago = now - session.updatedAt;
    return (
      (wanted === undefined || names.some((name) => name.toLowerCase().includes(wanted))) &&
      (folder === undefined || isIn(session.cwd, folder)) &&
      (newerThanMs === undefined || ago <= newerThanMs) &&
      (olderThanMs === undefined || ago >= olderThanMs)
    );
  };
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
