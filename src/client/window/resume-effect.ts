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

/** A session file of this size takes noticeable time to read. */
const LONG_BYTES = 4 * 1024 * 1024;

/** Resumes a session of the list, or one that was offered: in addition to the others, or switches to it if it is open. */
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
