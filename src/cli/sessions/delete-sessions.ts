import type {SessionsCommand} from './sessions-arguments.ts';
import type {StoredSession} from '../../storage/sessions/stored-session.ts';
import {type SessionsContext, maskedSession, nameOf, reportFailure, findSession} from './session-lookup.ts';

const USAGE = 2;

/** Deletes sessions after confirmation, and prints how to restore them. */
export async function deleteSessions(
  {ids, yes}: Extract<SessionsCommand, {kind: 'delete'}>,
  context: SessionsContext,
): Promise<number> {
  const {store, stderr, confirm, mask} = context;
  const selected = await findSelected(ids, context);
  if (typeof selected === 'number') return selected;
  if (!yes) {
    if (!confirm) {
      stderr('acp-tui: Deleting needs confirmation; no terminal here, pass --yes.\n');
      return USAGE;
    }
    for (const session of selected) stderr(`${session.id}  ${nameOf(maskedSession(session, mask))}\n`);
    const what = selected.length === 1 ? 'this session' : `these ${selected.length} sessions`;
    if (!(await confirm(`Delete ${what}? [y/N] `))) {
      stderr('Nothing deleted.\n');
      return 0;
    }
  }
  return forEach(selected, context, {
    act: ({id}) => store.delete(id),
    done: ({id}) => `Deleted ${id}. To restore it within a day: acp-tui sessions restore ${id}`,
  });
}

/** Restores deleted sessions. */
export async function restoreSessions(
  {ids}: Extract<SessionsCommand, {kind: 'restore'}>,
  context: SessionsContext,
): Promise<number> {
  const {store, stderr} = context;
  const deleted = store.list({include: 'deleted'});
  if (!deleted.ok) return reportFailure(deleted.failure, stderr);
  const whole = ids.map((id) => {
    const [only, ...others] = deleted.value.filter((session) => session.id.startsWith(id));
    return only && others.length === 0 ? only.id : id;
  });
  const selected = await findSelected(whole, context);
  if (typeof selected === 'number') return selected;
  return forEach(selected, context, {
    act: ({id}) => store.restore(id),
    done: ({id}) => `Restored ${id}.`,
  });
}

/** Returns all selected sessions before any of them is changed; or the exit code. */
async function findSelected(
  ids: readonly string[],
  context: SessionsContext,
): Promise<readonly StoredSession[] | number> {
  const sessions: StoredSession[] = [];
  for (const id of ids) {
    const selected = await findSession(id, context);
    if ('exitCode' in selected) return selected.exitCode;
    sessions.push(selected.session);
  }
  return sessions;
}

interface Deed {
  readonly act: (session: StoredSession) => ReturnType<SessionsContext['store']['delete']>;
  readonly done: (session: StoredSession) => string;
}

function forEach(sessions: readonly StoredSession[], {stderr}: SessionsContext, {act, done}: Deed): number {
  let exitCode = 0;
  for (const session of sessions) {
    const result = act(session);
    if (result.ok) stderr(`${done(session)}\n`);
    else exitCode = reportFailure(result.failure, stderr);
  }
  return exitCode;
}
