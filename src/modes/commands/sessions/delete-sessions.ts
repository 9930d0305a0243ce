import {printFailure} from '../../../cli/terminal-io.ts';
import type {SessionsCommand} from './sessions-arguments.ts';
import {nameOfSession} from '../../../session/titles.ts';
import type {Result} from '../../../shared/failure.ts';
import type {StoredSession} from '../../../storage/sessions/stored-session.ts';
import {
  type SessionsContext,
  maskedSession,
  sessionDisplayName,
  reportFailure,
  findSession,
} from './session-lookup.ts';

/** Deletes sessions after confirmation, and prints how to restore them. */
export async function deleteSessions(
  {ids, yes}: Extract<SessionsCommand, {kind: 'delete'}>,
  context: SessionsContext,
): Promise<number> {
  const {store, stderr, confirm, mask} = context;
  const selected = await findSelected(ids, context);
  if (typeof selected === 'number') return selected;
  if (!yes) {
    if (!confirm)
      return printFailure(stderr, 'Deleting needs confirmation; no terminal here, pass --yes.', 2);
    for (const session of selected)
      stderr(`${session.id}  ${sessionDisplayName(maskedSession(session, mask))}\n`);
    const what = selected.length === 1 ? 'this session' : `these ${selected.length} sessions`;
    if (!(await confirm(`Delete ${what}? [y/N] `))) {
      stderr('Nothing deleted.\n');
      return 0;
    }
  }
  const done = (id: string) => `Deleted ${id}. To restore it within a day: acp-tui sessions restore ${id}`;
  return forEach(selected, context, (id) => store.delete(id), done);
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
    const isMeant = (session: StoredSession) =>
      session.id.startsWith(id) || nameOfSession(session).toLowerCase() === id.trim().toLowerCase();
    const [only, ...others] = deleted.value.filter(isMeant);
    return only && others.length === 0 ? only.id : id;
  });
  const selected = await findSelected(whole, context);
  if (typeof selected === 'number') return selected;
  const restore = (id: string) => store.restore(id);
  return forEach(selected, context, restore, (id) => `Restored ${id}.`);
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

function forEach(
  sessions: readonly StoredSession[],
  {stderr}: SessionsContext,
  act: (id: string) => Result<void>,
  done: (id: string) => string,
): number {
  let exitCode = 0;
  for (const {id} of sessions) {
    const result = act(id);
    if (result.ok) stderr(`${done(id)}\n`);
    else exitCode = reportFailure(result.failure, stderr);
  }
  return exitCode;
}
