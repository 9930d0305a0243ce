import type {Effect} from '../app/effects.ts';
import {deletePicker} from '../app/keys/session-list-keys.ts';
import {activeSession} from '../app/sessions.ts';
import type {Result} from '../failure.ts';
import {agentCan} from '../session/abilities.ts';
import {nameOfSession} from '../session/titles.ts';
import {performReading} from './perform-reading.ts';
import {openHere, pickUpSession} from './pick-up-session.ts';
import {removeOpen, unarchiveNewest} from './remove-open.ts';
import {say, type SessionPerformer} from './session-performer.ts';

type Done = Result<unknown> | undefined;

const KINDS = [
  'find_sessions',
  'ask_agents',
  'find_passages',
  'read_session',
  'pick_up',
  'open_beside',
  'close_session',
  'delete_session',
  'archive_session',
  'restore_session',
  'remove_open',
  'unarchive_session',
  'settle_session',
] as const satisfies readonly Effect['kind'][];

/** What concerns sessions as wholes. */
export type SessionsEffect = Extract<Effect, {kind: (typeof KINDS)[number]}>;

export function concernsSessions(effect: Effect): effect is SessionsEffect {
  return (KINDS as readonly string[]).includes(effect.kind);
}

/** Finds, opens, closes, names and deletes sessions. */
export async function performSessions(effect: SessionsEffect, performer: SessionPerformer): Promise<Done> {
  const {store, sessions, memory} = performer;
  switch (effect.kind) {
    case 'find_sessions':
      sessions.finder.find(effect.scope);
      return undefined;
    case 'ask_agents':
      sessions.finder.askAll();
      return undefined;
    case 'find_passages':
    case 'read_session':
      return performReading(effect, {store, sessions: memory.sessions});
    case 'pick_up':
      return pickUpSession(effect, performer);
    case 'open_beside': {
      const {key, session} = activeSession(store.current());
      const {additionalDirectories} = session;
      const options = sessions.optionsOf(key);
      void sessions.open({options: {...options, additionalDirectories, opening: {kind: 'new'}}});
      return undefined;
    }
    case 'close_session':
      await sessions.close(effect.session);
      return undefined;
    case 'delete_session':
      return deleteSession(effect, performer);
    case 'archive_session':
      return archiveSession(effect.row, performer);
    case 'restore_session':
      return restoreSession(performer);
    case 'remove_open':
      return removeOpen(effect, performer);
    case 'unarchive_session':
      return unarchiveNewest(performer);
    case 'settle_session':
      return memory.sessions.settle(effect.row);
  }
}

const ONLY_BY_ITS_AGENT =
  'Only the agent that has this session can do that: go on with another of its sessions first.';

async function deleteSession(
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
async function archiveSession(row: string, performer: SessionPerformer): Promise<Done> {
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
function restoreSession(performer: SessionPerformer): Done {
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
