import type {Effect} from '../../app/effects.ts';
import {deletePicker} from '../../app/handlers/session-list-keys.ts';
import {activeSession} from '../../app/sessions.ts';
import {agentCan} from '../../session/lifecycle/agent-capabilities.ts';
import {nameOfSession, sessionTitle} from '../../session/titles.ts';
import type {Result} from '../../shared/failure.ts';
import {openHere} from '../sessions/resume-session.ts';
import {say, type SessionPerformer} from './effect-context.ts';

type Done = Result<unknown> | undefined;

const ONLY_BY_ITS_AGENT =
  'Only the agent that has this session can do that: go on with another of its sessions first.';

/** Deletes the session of a row; asks first where the agent deletes for good. */
export async function deleteSession(
  {row, sure}: Extract<Effect, {kind: 'delete_session'}>,
  performer: SessionPerformer,
): Promise<Done> {
  const {store, sessions, memory} = performer;
  const found = sessions.finder.found(row);
  if (!found) return undefined;
  const {stored, listed, lister} = found;
  const {key, session} = activeSession(store.current());
  const forGood = listed !== undefined && !lister && agentCan(session, 'delete');
  if (!stored && lister) return say(performer, ONLY_BY_ITS_AGENT);
  if (!stored && !forGood) return say(performer, 'This agent offers no way to delete its sessions.');
  if (openHere(found, performer))
    return say(performer, 'This session is open in this window; /close it first.');
  if (forGood && !sure) {
    const picker = deletePicker(row, nameOfSession(found.row));
    store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
    return undefined;
  }
  if (stored) {
    const deleted = memory.sessions.delete(stored.id);
    if (!deleted.ok) return deleted;
  }
  if (forGood) {
    const done = await sessions.clientOf(key).actions.changeSession('delete', listed.sessionId);
    if (!done.ok) return done;
  }
  findAgain(performer);
  return say(performer, forGood ? 'Deleted.' : 'Deleted; /undelete brings it back.');
}

/** Archived sessions leave the list; `acp-tui sessions list` still has them. */
export async function archiveSession(
  {row}: Extract<Effect, {kind: 'archive_session'}>,
  performer: SessionPerformer,
): Promise<Done> {
  const {store, sessions, memory} = performer;
  const found = sessions.finder.found(row);
  if (!found) return undefined;
  const {stored, listed, lister} = found;
  const {key, session} = activeSession(store.current());
  const byAgent = listed !== undefined && !lister && agentCan(session, 'archive');
  if (!stored && lister) return say(performer, ONLY_BY_ITS_AGENT);
  if (!stored && !byAgent) return say(performer, 'This agent offers no way to archive its sessions.');
  const done = stored ? memory.sessions.archive(stored.id) : undefined;
  if (done && !done.ok) return done;
  if (byAgent) {
    const archived = await sessions.clientOf(key).actions.changeSession('archive', listed.sessionId);
    if (!archived.ok) return archived;
  }
  findAgain(performer);
  return say(performer, 'Archived; /unarchive brings it back.');
}

/** Brings back what was deleted last, here or elsewhere. */
export function restoreSession(performer: SessionPerformer): Done {
  const {memory} = performer;
  const deleted = memory.sessions.list({include: 'deleted'});
  if (!deleted.ok) return deleted;
  const [newest] = deleted.value.toSorted((one, other) => (other.deletedAt ?? 0) - (one.deletedAt ?? 0));
  if (!newest) return say(performer, 'Nothing was deleted that could be brought back.');
  const restored = memory.sessions.restore(newest.id);
  if (!restored.ok) return restored;
  return say(performer, `"${nameOfSession(newest)}" is back; /resume lists it.`);
}

function findAgain({store, sessions}: SessionPerformer): void {
  const {overlay} = store.current();
  if (overlay.kind === 'picker' && overlay.picker.purpose.kind === 'sessions')
    sessions.finder.find(overlay.picker.purpose.scope);
}

type EffectOf<Kind extends Effect['kind']> = Extract<Effect, {kind: Kind}>;

/** Deletes or archives a session that is open in this window: closes it first. Asks before what cannot be taken back. */
export async function removeOpen(
  {session: key, how, sure}: EffectOf<'remove_open'>,
  performer: SessionPerformer,
): Promise<Result<unknown> | undefined> {
  const {store, sessions, memory} = performer;
  const session = store.current().sessions[key]?.session;
  if (!session) return undefined;
  const id = memory.recording.id(key);
  const {sessionId} = session;
  const byAgent = sessionId !== undefined && !session.unused && agentCan(session, how);
  if (id === undefined && !byAgent) return say(performer, 'Nothing of this session is kept.');
  if (how === 'delete' && byAgent && !sure) {
    const name = nameOfSession({title: sessionTitle(session), firstPrompt: undefined});
    const picker = deletePicker(id ?? sessionId, name, key);
    store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
    return undefined;
  }
  if (byAgent) {
    const done = await sessions.clientOf(key).actions.changeSession(how, sessionId);
    if (!done.ok) return done;
  }
  sessions.close(key);
  const done = id === undefined ? undefined : memory.sessions[how](id);
  if (done && !done.ok) return done;
  if (how === 'archive') return say(performer, 'Archived; /unarchive brings it back.');
  return say(performer, byAgent ? 'Deleted.' : 'Deleted; /undelete brings it back.');
}

/** Brings back the newest of those that were archived, also at the agent on the screen where it is the agent's. */
export async function unarchiveNewest(performer: SessionPerformer): Promise<Result<unknown> | undefined> {
  const {store, sessions, memory} = performer;
  const listed = memory.sessions.list({include: 'archived'});
  if (!listed.ok) return listed;
  const newest = listed.value.find(({archived}) => archived);
  if (!newest) return say(performer, 'Nothing is archived here.');
  const {key, session, agentLabel} = activeSession(store.current());
  const {agentSessionId} = newest;
  if (agentSessionId !== undefined && agentLabel === newest.agent.label && agentCan(session, 'archive')) {
    const done = await sessions.clientOf(key).actions.changeSession('unarchive', agentSessionId);
    if (!done.ok) return done;
  }
  const back = memory.sessions.unarchive(newest.id);
  if (!back.ok) return back;
  return say(performer, `"${nameOfSession(newest)}" is back; /resume lists it.`);
}
