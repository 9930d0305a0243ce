import type {EffectOf} from '../../app/effects.ts';
import type {OpenSession} from '../../app/state.ts';
import {nameOfSession} from '../../session/titles.ts';
import type {Result} from '../../shared/failure.ts';
import {storedBefore} from '../../storage/sessions/stored-session.ts';
import type {ClientOptions} from '../options.ts';
import {storedAgent, type AgentToAsk} from '../sessions/other-agents.ts';
import {resume} from '../sessions/resume.ts';
import {joinSessions, type FoundSession} from '../sessions/session-rows.ts';
import {withoutMethod} from '../sign-in/agent-sign-in.ts';
import {notify, type SessionEffectContext, type SessionStorage} from './effect-context.ts';

/** The file of a session that takes a moment to be read. */
const LONG_BYTES = 4 * 1024 * 1024;

/** Goes on with a session of the list, or one that was offered: beside the others, or where it is open already. */
export async function resumeSession(
  {row, fork}: EffectOf<'resume_session'>,
  context: SessionEffectContext,
): Promise<Result<unknown> | undefined> {
  const {store, sessions, memory} = context;
  const found = sessions.finder.found(row) ?? storedOnly(memory, row);
  if (!found) return undefined;
  const {stored, listed} = found;
  const sessionId = stored ? stored.agentSessionId : listed?.sessionId;
  if (!fork && showOpen(found, context)) return undefined;
  if ((stored?.bytes ?? 0) > LONG_BYTES) notify(context, `Reading "${nameOfSession(found.row)}"…`);
  const base = sessions.optionsOf(store.latest().active);
  const options = optionsFor(found, base, context.agentsToAsk?.() ?? []);
  const {cwd, additionalDirectories} = options;
  const earlier = {sessionId, stored, cwd, additionalDirectories};
  const resumed = await resume(earlier, memory.sessions, {fork, instead: base.cwd});
  if (!resumed.ok) return resumed;
  // It may have been chosen twice while it was read.
  if (!fork && showOpen(found, context)) return undefined;
  const {folders, opening, session, problems} = resumed.value;
  void sessions.open({
    options: {...options, ...folders, opening},
    ...(session && {session, before: storedBefore(stored?.id, fork)}),
    problems,
  });
  return undefined;
}

/** Shows a session that is open in this window; false where it is not. */
function showOpen(found: FoundSession, context: SessionEffectContext): boolean {
  const open = openHere(found, context);
  if (open) context.store.dispatch({type: 'session_activated', key: open.key}, 'urgent');
  return open !== undefined;
}

/** A session that was offered without a list. */
function storedOnly({sessions}: SessionStorage, id: string): FoundSession | undefined {
  const stored = sessions.find(id);
  return stored.ok ? joinSessions([stored.value], []).values().next().value : undefined;
}

/** What signs in to one agent, or instructs it, is not meant for another. */
function forAnotherAgent(base: ClientOptions): ClientOptions {
  const {systemPrompt: _ofBase, ...others} = withoutMethod(base);
  return others;
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
    ...(isSameAgent ? base : forAnotherAgent(base)),
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
  {store, memory}: SessionEffectContext,
): OpenSession | undefined {
  const sessionId = stored?.agentSessionId ?? listed?.sessionId;
  return Object.values(store.latest().sessions).find(({key, session, agentLabel}) => {
    if (session.unused || (lister && lister.label !== agentLabel)) return false;
    const recorded = memory.recording.id(key);
    return stored && recorded !== undefined
      ? recorded === stored.id
      : sessionId !== undefined && session.sessionId === sessionId;
  });
}
