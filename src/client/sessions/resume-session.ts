import {type AgentCommand, isSameAgent} from '../../agents/resolve.ts';
import type {EffectOf} from '../../app/effects.ts';
import type {OpenSession} from '../../app/state.ts';
import {restoredSession} from '../../session/lifecycle/restore.ts';
import {nameOfSession} from '../../session/titles.ts';
import type {Result} from '../../shared/failure.ts';
import {storedBefore, type StoredAgent, type StoredSession} from '../../storage/sessions/stored-session.ts';
import type {ClientOptions} from '../options.ts';
import {withoutMethod} from '../sign-in/agent-sign-in.ts';
import {say, type SessionPerformer} from '../window/effect-context.ts';
import type {Memory} from '../window/window-sessions.ts';
import {foldersThere} from './existing-folders.ts';
import type {AgentToAsk} from './other-agents.ts';
import {joinSessions, type FoundSession} from './session-rows.ts';
import {unreadable} from './storage-notices.ts';

/** The file of a session that takes a moment to be read. */
const LONG_BYTES = 4 * 1024 * 1024;

/** Goes on with a session of the list, or one that was offered: beside the others, or where it is open already. */
export async function pickUpSession(
  {row, fork}: EffectOf<'pick_up'>,
  performer: SessionPerformer,
): Promise<Result<unknown> | undefined> {
  const {store, sessions, memory} = performer;
  const found = sessions.finder.found(row) ?? storedOnly(memory, row);
  if (!found) return undefined;
  const {stored, listed} = found;
  const sessionId = stored ? stored.agentSessionId : listed?.sessionId;
  if (!fork && showOpen(found, performer)) return undefined;
  if ((stored?.bytes ?? 0) > LONG_BYTES) say(performer, `Reading "${nameOfSession(found.row)}"…`);
  const kept = stored && (await memory.sessions.state(stored.id));
  if (kept && !kept.ok && sessionId === undefined) return kept;
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
    ...(kept?.ok && {
      session: restoredSession(kept.value, Date.now()).session,
      before: storedBefore(stored?.id, fork),
    }),
    problems: kept && !kept.ok ? [unreadable(kept.failure), ...problems] : problems,
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

/**
 * The session of this window that it is: by our id where it has one, because those of agents may come again. One in which nothing
 * was said is none of before.
 */
export function openHere(
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

/** All agents that may have sessions, but the one on the screen: those that are configured, then those that sessions are stored of. */
export function agentsToAsk(
  configured: readonly AgentToAsk[],
  stored: readonly StoredAgent[],
  own: AgentCommand,
): AgentToAsk[] {
  const found = new Map(configured.map((known) => [known.label, known]));
  for (const {label, command, args} of stored)
    // An imported session has no agent.
    if (command !== '' && !found.has(label))
      found.set(label, {label, agent: {ok: true, value: {label, command, args, env: {}}}});
  const asked = new Set([own.label, lineOf(own)]);
  return [...found.values()].filter(({label, agent}) => {
    const line = agent.ok ? lineOf(agent.value) : label;
    if (asked.has(label) || asked.has(line)) return false;
    asked.add(line);
    return true;
  });
}

/**
 * The agent that a session was stored with, where that is another than `own`: as it is started today where it has a name, since what
 * it was then may be gone. What was imported has none of its own.
 */
export function storedAgent(
  stored: Pick<StoredSession, 'agent'> | undefined,
  own: AgentCommand,
  known: readonly AgentToAsk[],
): AgentCommand | undefined {
  if (!stored || stored.agent.command === '' || isSameAgent(stored.agent, own)) return undefined;
  const {label, command, args} = stored.agent;
  const today = known.find((agent) => agent.label === label)?.agent;
  return today?.ok ? today.value : {label, command, args, env: {}};
}

function lineOf({command, args}: AgentCommand): string {
  return JSON.stringify([command, ...args]);
}
