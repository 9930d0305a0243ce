import type {Effect} from '../app/effects.ts';
import {deletePicker} from '../app/keys/session-list-keys.ts';
import {activeSession} from '../app/sessions.ts';
import type {Result} from '../shared/failure.ts';
import {agentCan} from '../session/abilities.ts';
import {nameOfSession, sessionTitle} from '../session/titles.ts';
import {say, type SessionPerformer} from './window/performer.ts';

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
