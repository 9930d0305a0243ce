import path from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {parseCommandLine} from '../../agents/command-line.ts';
import type {AgentCommand} from '../../agents/resolve.ts';
import {reportReading} from '../../cli/reading-progress.ts';
import {resume} from '../../window/sessions/resume.ts';
import type {CommonOptions} from '../../cli/options.ts';
import {skippedNotice} from '../../window/sessions/storage-notices.ts';
import type {Result} from '../../shared/failure.ts';
import {isMark} from '../../storage/sessions/event-file.ts';
import {isListed, openStored, type SessionStore} from '../../storage/sessions/session-store.ts';
import type {StoredSession} from '../../storage/sessions/stored-session.ts';
import type {Opening} from '../../session/events.ts';
import type {SessionState} from '../../session/state.ts';

/** The session opened by `--continue` and `--resume`. */
export interface ResumeTarget {
  /** The options, with the folders of the session, and its agent if it is the demo agent. */
  readonly given: CommonOptions;
  readonly opening: Opening;
  /** The session's agent; undefined if the options name one. */
  readonly agent?: AgentCommand;
  /** The stored session, and its state. */
  readonly kept?: Pick<StoredSession, 'id' | 'openBy'> & {readonly session: SessionState};
  /** True if there is a stored session that cannot be read, or may be. */
  readonly isUnreadable?: boolean;
  /** What has changed since, in sentences for the user. */
  readonly problems?: readonly string[];
}

interface ResumeContext {
  /** False in print mode. */
  readonly hasUser?: boolean;
  /** True for a window, which lists the sessions of a name if it is that of several. */
  readonly isWindow?: boolean;
  readonly warn?: (sentence: string) => void;
  /** Shows the progress of reading many sessions; undefined without a terminal. */
  readonly status?: ((text: string) => void) | undefined;
}

/**
 * Finds the session to resume: the newest of the folder, or the named one, by an ID or its title. A session that is not stored is left to the agent, which may know it.
 * `no_such_session`, or `unknown_value` if a name is ambiguous.
 */
export async function findResumeTarget(
  options: CommonOptions,
  state: string,
  {warn = () => {}, status, hasUser = true, isWindow = false}: ResumeContext = {},
): Promise<Result<ResumeTarget>> {
  const wanted = options.resumeRequest;
  if (wanted === undefined) return {ok: true, value: {given: options, opening: {kind: 'new'}}};
  if (wanted.which === 'chosen') return {ok: true, value: {given: options, opening: {kind: 'later'}}};
  const {database, store} = openStored({
    state,
    onDamaged: warn,
    onProblem() {},
    onLeftOut: (failures) => warn(skippedNotice(failures)),
  });
  try {
    const here = path.resolve(options.cwd ?? '.');
    const found = await (wanted.which === 'newest'
      ? newestOf(store, options, {status, hasUser})
      : named(store, wanted.id, here));
    if (!found.ok && isWindow && wanted.which === 'named' && areListed(store, wanted.id, here)) {
      const resumeRequest = {which: 'chosen', filter: wanted.id} as const;
      return {ok: true, value: {given: {...options, resumeRequest}, opening: {kind: 'later'}}};
    }
    if (!found.ok) return found;
    return await resumeTargetOf(store, options, found.value);
  } finally {
    database.close();
  }
}

/** What is stored of a session; undefined if nothing is. */
type Found = StoredSession | 'unreadable' | undefined;

async function newestOf(
  store: SessionStore,
  {cwd, agent}: CommonOptions,
  {status, hasUser}: Pick<ResumeContext, 'status' | 'hasUser'>,
): Promise<Result<Found>> {
  await store.reindex(reportReading(status));
  const listed = store.list({cwd: path.resolve(cwd ?? '.')});
  // The agent may still know what cannot be read here.
  if (!listed.ok) return {ok: true, value: 'unreadable'};
  const known = listed.value.filter(
    (session) => session.agentSessionId !== undefined && (agent === undefined || isOf(session, agent)),
  );
  return {ok: true, value: hasUser ? await usedInWindow(store, known) : known[0]};
}

/**
 * Returns the newest session; of several copies of one, the newest that was open in a window: print mode copies a session that a window has open, and the
 * agent replays all of it for either.
 */
async function usedInWindow(
  store: SessionStore,
  [newest, ...older]: readonly StoredSession[],
): Promise<StoredSession | undefined> {
  const same = older.filter(({agentSessionId}) => agentSessionId === newest?.agentSessionId);
  if (newest === undefined || same.length === 0) return newest;
  for (const session of [newest, ...same]) {
    const stored = await store.events(session.id);
    const marks = stored.ok ? stored.value.lines.filter(isMark) : [];
    if (marks.some((mark) => mark.mark === 'opened' && mark.person !== false)) return session;
  }
  return newest;
}

/** True if the session's agent is the one that was requested. */
function isOf({agent: {label, command, args}}: StoredSession, named: string): boolean {
  if (named === label) return true;
  const line = parseCommandLine(named, {});
  return line.ok && isDeepStrictEqual([line.value.program, ...line.value.args], [command, ...args]);
}

async function named(store: SessionStore, text: string, here: string): Promise<Result<Found>> {
  const found = await store.locate(text, here);
  if (found.ok) return found;
  if (found.failure.kind !== 'unknown_value') return {ok: true, value: 'unreadable'};
  return found.failure.valid.length > 1 ? found : {ok: true, value: undefined};
}

/** True if a name is that of several sessions that the list of all folders has. */
function areListed(store: SessionStore, name: string, here: string): boolean {
  const found = store.named(name, here);
  return found.ok && found.value.filter(isListed).length > 1;
}

async function resumeTargetOf(
  store: SessionStore,
  options: CommonOptions,
  stored: Found,
): Promise<Result<ResumeTarget>> {
  const {resumeRequest: wanted, fork} = options;
  if (!stored || stored === 'unreadable') {
    const opening: Opening =
      wanted?.which === 'named' ? {kind: 'continue', sessionId: wanted.id, fork} : {kind: 'newest', fork};
    return {ok: true, value: {given: options, opening, isUnreadable: stored === 'unreadable'}};
  }
  const {agentSessionId: sessionId, agent, cwd, additionalDirectories} = stored;
  const earlier = {sessionId, stored, cwd, additionalDirectories};
  const resumed = await resume(earlier, store, {fork, instead: path.resolve(options.cwd ?? '.')});
  if (!resumed.ok) return resumed;
  const {folders, opening, session, isUnreadable, problems} = resumed.value;
  const isDemo = agent.label === 'demo';
  // An imported session has no agent.
  const isStarted = options.agent === undefined && !isDemo && agent.command !== '';
  const own = isStarted ? {...agent, env: options.env} : undefined;
  return {
    ok: true,
    value: {
      given: {...options, ...folders, agent: options.agent ?? (isDemo ? 'demo' : undefined)},
      opening,
      ...(own && {agent: {label: own.label, command: own.command, args: own.args, env: own.env}}),
      ...(session && {kept: {id: stored.id, openBy: stored.openBy, session}}),
      isUnreadable,
      problems,
    },
  };
}
