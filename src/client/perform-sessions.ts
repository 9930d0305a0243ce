import type {Effect} from '../app/effects.ts';
import type {AppEvent} from '../app/events.ts';
import {HINT_MS} from '../app/hint-time.ts';
import {deletePicker} from '../app/keys/session-list-keys.ts';
import {activeSession} from '../app/sessions.ts';
import type {AppState, OpenSession} from '../app/state.ts';
import type {Result} from '../failure.ts';
import {agentCan} from '../session/abilities.ts';
import {storedBefore} from '../persistence/sessions/stored-session.ts';
import {restoredSession} from '../session/restore.ts';
import {nameOfSession} from '../session/titles.ts';
import type {Store} from '../store.ts';
import {storedAgent} from './agents-to-ask.ts';
import type {AgentToAsk} from './ask-agents.ts';
import type {ClientOptions} from './options.ts';
import {foldersThere} from './folders-there.ts';
import {joinSessions, type FoundSession} from './session-rows.ts';
import {withoutMethod} from './sign-in/without-method.ts';
import {performReading} from './perform-reading.ts';
import type {Memory, WindowSessions} from './window-sessions.ts';

export interface SessionPerformer {
  readonly store: Store<AppState, AppEvent>;
  readonly sessions: WindowSessions;
  readonly memory: Memory;
  readonly agentsToAsk?: () => readonly AgentToAsk[];
}

/** The file of a session that takes a moment to be read. */
const LONG_BYTES = 4 * 1024 * 1024;

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
      return pickUp(effect, performer);
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
    case 'settle_session':
      return memory.sessions.settle(effect.row);
  }
}

const ONLY_BY_ITS_AGENT =
  'Only the agent that has this session can do that: go on with another of its sessions first.';

function say({store}: SessionPerformer, text: string): undefined {
  store.dispatch({type: 'hint_shown', text, until: Date.now() + HINT_MS}, 'urgent');
}

async function pickUp(
  {row, fork}: Extract<Effect, {kind: 'pick_up'}>,
  performer: SessionPerformer,
): Promise<Done> {
  const {store, sessions, memory} = performer;
  const found = sessions.finder.found(row) ?? storedOnly(memory, row);
  if (!found) return undefined;
  const {stored, listed} = found;
  const sessionId = stored ? stored.agentSessionId : listed?.sessionId;
  if (!fork && showOpen(found, performer)) return undefined;
  if ((stored?.bytes ?? 0) > LONG_BYTES) say(performer, `Reading "${nameOfSession(found.row)}"…`);
  const kept = stored && (await memory.sessions.state(stored.id));
  if (kept && !kept.ok) return kept;
  // It may have been chosen twice while it was read.
  if (!fork && showOpen(found, performer)) return undefined;
  const base = sessions.optionsOf(store.current().active);
  const options = optionsFor(found, base, performer.agentsToAsk?.() ?? []);
  const {folders, problems} = await foldersThere(options, base.cwd);
  void sessions.open({
    options: {
      ...options,
      ...folders,
      opening: sessionId === undefined ? {kind: 'later'} : {kind: 'continue', sessionId, fork},
    },
    ...(kept && {session: restoredSession(kept.value, Date.now()).session}),
    before: storedBefore(stored?.id, fork),
    problems,
  });
  return undefined;
}

/** Shows a session that is open in this window; false where it is not. */
function showOpen(found: FoundSession, performer: SessionPerformer): boolean {
  const open = openHere(found, performer);
  if (open) performer.store.dispatch({type: 'session_activated', key: open.key}, 'urgent');
  return open !== undefined;
}

/** A session that was offered without a list. */
function storedOnly({sessions}: Memory, id: string): FoundSession | undefined {
  const stored = sessions.find(id);
  return stored.ok ? joinSessions([stored.value], []).values().next().value : undefined;
}

/** The session's own agent, folder and whole list of folders; settings of the command line were for another one. */
function optionsFor(
  {stored, listed, lister}: FoundSession,
  base: ClientOptions,
  known: readonly AgentToAsk[],
): ClientOptions {
  const place = stored ?? listed;
  const agent = lister ?? storedAgent(stored, base.agent, known) ?? base.agent;
  const isSameAgent = agent === base.agent;
  return {
    // What signs in to one agent means nothing to another.
    ...(isSameAgent ? base : withoutMethod(base)),
    agent,
    cwd: place?.cwd ?? base.cwd,
    additionalDirectories: place?.additionalDirectories ?? [],
    settings: {options: []},
    ...(!isSameAgent && {newSettings: {options: []}}),
  };
}

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

/**
 * The session of this window that it is: by our id where it has one, because those of agents may come again. One in which nothing
 * was said is none of before.
 */
function openHere(
  {stored, listed, lister}: FoundSession,
  {store, memory}: SessionPerformer,
): OpenSession | undefined {
  const sessionId = stored?.agentSessionId ?? listed?.sessionId;
  return Object.values(store.current().sessions).find(({key, session, agentLabel}) => {
    if (session.unused || (lister && lister.label !== agentLabel)) return false;
    const recorded = memory.recording.id(key);
    return stored && recorded !== undefined
      ? recorded === stored.id
      : sessionId !== undefined && session.sessionId === sessionId;
  });
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
  return say(performer, 'Archived.');
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
