import type {EffectOf} from '../../app/effects.ts';
import type {OpenSession, SessionKey} from '../../app/state.ts';
import {nameOfSession, sessionTitle} from '../../session/titles.ts';
import type {Result} from '../../shared/failure.ts';
import {storedBefore} from '../../storage/sessions/stored-session.ts';
import type {ClientOptions} from '../options.ts';
import {storedAgent, type AgentToAsk} from '../sessions/other-agents.ts';
import {resume} from '../sessions/resume.ts';
import {joinSessions, type FoundSession} from '../sessions/session-rows.ts';
import {withoutMethod} from '../sign-in/agent-sign-in.ts';
import {notify, type SessionEffectContext, type SessionStorage} from './effect-context.ts';
import {deletePicker} from '../../app/pickers/session-picker.ts';
import {activeSession} from '../../app/sessions.ts';
import {agentCan} from '../../session/lifecycle/agent-capabilities.ts';

/** A session file of this size takes noticeable time to read. */
const LONG_BYTES = 4 * 1024 * 1024;

/** Resumes a session of the list, or one that was offered: in addition to the others, or switches to it if it is open. */
export async function resumeSession(
  {row, fork}: EffectOf<'resume_session'>,
  context: SessionEffectContext,
): Promise<Result<unknown> | undefined> {
  const {store, sessions, storage} = context;
  const found = sessions.finder.found(row) ?? storedOnly(storage, row);
  if (!found) return undefined;
  const {stored, listed} = found;
  const sessionId = stored ? stored.agentSessionId : listed?.sessionId;
  if (!fork && showOpen(found, context)) return undefined;
  if ((stored?.bytes ?? 0) > LONG_BYTES) notify(context, `Reading "${nameOfSession(found.row)}"…`);
  const base = sessions.optionsOf(store.latest().active);
  const options = optionsFor(found, base, context.agentsToAsk?.() ?? []);
  const {cwd, additionalDirectories} = options;
  const earlier = {sessionId, stored, cwd, additionalDirectories};
  const resumed = await resume(earlier, storage.sessions, {fork, instead: base.cwd});
  if (!resumed.ok) return resumed;
  // It may have been selected twice while it was read.
  if (!fork && showOpen(found, context)) return undefined;
  const {folders, opening, session, problems} = resumed.value;
  void sessions.open({
    options: {...options, ...folders, opening},
    ...(session && {session, before: storedBefore(stored?.id, fork)}),
    problems,
  });
  return undefined;
}

/** Switches to a session that is open in this window; false if it is not. */
function showOpen(found: FoundSession, context: SessionEffectContext): boolean {
  const open = openHere(found, context);
  if (open) context.store.dispatch({type: 'session_activated', key: open.key}, 'urgent');
  return open !== undefined;
}

/** A session that was offered outside of a list. */
function storedOnly({sessions}: SessionStorage, id: string): FoundSession | undefined {
  const stored = sessions.find(id);
  return stored.ok ? joinSessions([stored.value], []).values().next().value : undefined;
}

/** Credentials and instructions for one agent are not meant for another. */
function forAnotherAgent(base: ClientOptions): ClientOptions {
  const {systemPrompt: _ofBase, ...others} = withoutMethod(base);
  return others;
}

/** Returns the session's own agent, folder and complete list of folders; the command line's settings were for another one. */
function optionsFor(
  {stored, listed, lister}: FoundSession,
  base: ClientOptions,
  known: readonly AgentToAsk[],
): ClientOptions {
  const place = stored ?? listed;
  const agent = lister ?? storedAgent(stored, base.agent, known) ?? base.agent;
  const isSameAgent = agent === base.agent;
  return {
    ...(isSameAgent ? base : forAnotherAgent(base)),
    agent,
    cwd: place?.cwd ?? base.cwd,
    additionalDirectories: place?.additionalDirectories ?? [],
    settings: {options: []},
    ...(!isSameAgent && {newSettings: {options: []}}),
  };
}

/** Returns the key of the open session: by stored id if there is one, because agents may reuse ids. A session without messages does not count. */
function openHere(
  {stored, listed, lister}: FoundSession,
  {store, storage}: SessionEffectContext,
): OpenSession | undefined {
  const sessionId = stored?.agentSessionId ?? listed?.sessionId;
  return Object.values(store.latest().sessions).find(({key, session, agentLabel}) => {
    if (session.unused || (lister && lister.label !== agentLabel)) return false;
    const recorded = storage.recording.id(key);
    return stored && recorded !== undefined
      ? recorded === stored.id
      : sessionId !== undefined && session.sessionId === sessionId;
  });
}

type Done = Result<unknown> | undefined;

const ONLY_BY_ITS_AGENT = "Only the session's own agent can do that: resume one of its sessions first.";

/** Deletes the session of a row; asks first if the agent deletes it permanently. */
export async function deleteSession(
  {row, sure}: EffectOf<'delete_session'>,
  context: SessionEffectContext,
): Promise<Done> {
  const {store, sessions, storage} = context;
  const target = targetOf(row, 'delete', context);
  if (target === undefined || 'hindrance' in target) return target && notify(context, target.hindrance);
  const {found, key, atAgent} = target;
  const {stored} = found;
  const forGood = atAgent !== undefined;
  if (openHere(found, context))
    return notify(context, 'This session is open in this window; /close it first.');
  if (forGood && !sure) {
    const picker = deletePicker(row, nameOfSession(found.row));
    store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
    return undefined;
  }
  if (stored) {
    const deleted = storage.sessions.delete(stored.id);
    if (!deleted.ok) return deleted;
  }
  if (atAgent !== undefined) {
    const done = await sessions.clientOf(key).changeSession('delete', atAgent);
    if (!done.ok) return done;
  }
  findAgain(context);
  return notify(context, forGood ? 'Deleted.' : 'Deleted; /undelete restores it.');
}

/** Archives the session of a row; `acp-tui sessions list` still lists it. */
export async function archiveSession(
  {row}: EffectOf<'archive_session'>,
  context: SessionEffectContext,
): Promise<Done> {
  const {sessions, storage} = context;
  const target = targetOf(row, 'archive', context);
  if (target === undefined || 'hindrance' in target) return target && notify(context, target.hindrance);
  const {
    found: {stored},
    key,
    atAgent,
  } = target;
  const done = stored ? storage.sessions.archive(stored.id) : undefined;
  if (done && !done.ok) return done;
  if (atAgent !== undefined) {
    const archived = await sessions.clientOf(key).changeSession('archive', atAgent);
    if (!archived.ok) return archived;
  }
  findAgain(context);
  return notify(context, 'Archived; /unarchive restores it.');
}

/** The target of a change to a row's session: its id at the active session's agent, if that supports the change, too. */
type Target =
  | {readonly found: FoundSession; readonly key: SessionKey; readonly atAgent: string | undefined}
  | {readonly hindrance: string};

/** Returns undefined for a row that is gone. */
function targetOf(
  row: string,
  change: 'delete' | 'archive' | 'unarchive',
  {store, sessions}: SessionEffectContext,
): Target | undefined {
  const found = sessions.finder.found(row);
  if (!found) return undefined;
  const {stored, listed, lister} = found;
  const {key, session} = activeSession(store.latest());
  const atAgent =
    !lister && agentCan(session, change === 'delete' ? 'delete' : 'archive') ? listed?.sessionId : undefined;
  if (!stored && lister) return {hindrance: ONLY_BY_ITS_AGENT};
  if (!stored && atAgent === undefined) return {hindrance: `This agent can't ${change} its sessions.`};
  return {found, key, atAgent};
}

/** Restores the most recently deleted session, in this window or elsewhere. */
export function restoreSession(context: SessionEffectContext): Done {
  const {storage} = context;
  const deleted = storage.sessions.list({include: 'deleted'});
  if (!deleted.ok) return deleted;
  const [newest] = deleted.value.toSorted((one, other) => (other.deletedAt ?? 0) - (one.deletedAt ?? 0));
  if (!newest) return notify(context, 'No deleted session to restore.');
  const restored = storage.sessions.restore(newest.id);
  if (!restored.ok) return restored;
  return notify(context, `Restored "${nameOfSession(newest)}"; /resume lists it.`);
}

function findAgain({store, sessions}: SessionEffectContext): void {
  const {overlay} = store.latest();
  if (overlay.kind === 'picker' && overlay.picker.purpose.kind === 'sessions')
    sessions.finder.find(overlay.picker.purpose.scope);
}

/** Deletes or archives a session that is open in this window, after closing it. Asks first if that cannot be undone. */
export async function removeOpen(
  {session: key, how, sure}: EffectOf<'remove_open'>,
  context: SessionEffectContext,
): Promise<Result<unknown> | undefined> {
  const {store, sessions, storage} = context;
  const session = store.latest().sessions[key]?.session;
  if (!session) return undefined;
  const id = storage.recording.id(key);
  const {sessionId} = session;
  const byAgent = sessionId !== undefined && !session.unused && agentCan(session, how);
  if (id === undefined && !byAgent) return notify(context, 'This session is not stored.');
  if (how === 'delete' && byAgent && !sure) {
    const name = nameOfSession({title: sessionTitle(session), firstPrompt: undefined});
    const picker = deletePicker(id ?? sessionId, name, key);
    store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
    return undefined;
  }
  if (byAgent) {
    const done = await sessions.clientOf(key).changeSession(how, sessionId);
    if (!done.ok) return done;
  }
  sessions.close(key);
  const done = id === undefined ? undefined : storage.sessions[how](id);
  if (done && !done.ok) return done;
  if (how === 'archive') return notify(context, 'Archived; /unarchive restores it.');
  return notify(context, byAgent ? 'Deleted.' : 'Deleted; /undelete restores it.');
}

/** Unarchives the session of a row, also at the agent that listed it. */
export async function unarchiveSession(row: string, context: SessionEffectContext): Promise<Done> {
  const {sessions, storage} = context;
  const target = targetOf(row, 'unarchive', context);
  if (target === undefined || 'hindrance' in target) return target && notify(context, target.hindrance);
  const {found, key, atAgent} = target;
  if (atAgent !== undefined) {
    const done = await sessions.clientOf(key).changeSession('unarchive', atAgent);
    if (!done.ok) return done;
  }
  const back = found.stored && storage.sessions.unarchive(found.stored.id);
  if (back && !back.ok) return back;
  findAgain(context);
  return notify(context, `Restored "${nameOfSession(found.row)}"; /resume lists it.`);
}

/** Unarchives the most recently archived session, also at the current agent if it is the agent's. */
export async function unarchiveNewest(context: SessionEffectContext): Promise<Result<unknown> | undefined> {
  const {store, sessions, storage} = context;
  const listed = storage.sessions.list({include: 'archived'});
  if (!listed.ok) return listed;
  const newest = listed.value.find(({archived}) => archived);
  if (!newest) return notify(context, 'No archived session.');
  const {key, session, agentLabel} = activeSession(store.latest());
  const {agentSessionId} = newest;
  if (agentSessionId !== undefined && agentLabel === newest.agent.label && agentCan(session, 'archive')) {
    const done = await sessions.clientOf(key).changeSession('unarchive', agentSessionId);
    if (!done.ok) return done;
  }
  const back = storage.sessions.unarchive(newest.id);
  if (!back.ok) return back;
  return notify(context, `Restored "${nameOfSession(newest)}"; /resume lists it.`);
}
