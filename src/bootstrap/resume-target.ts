import path from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {parseCommandLine} from '../agents/command-line.ts';
import type {AgentCommand} from '../agents/resolve.ts';
import {reportReading} from '../cli/reading-progress.ts';
import {resume} from '../client/sessions/resume.ts';
import type {CommonOptions} from '../cli/options.ts';
import {skippedNotice} from '../client/sessions/storage-notices.ts';
import type {Result} from '../shared/failure.ts';
import {openDatabase} from '../storage/database/database.ts';
import {isMark} from '../storage/sessions/event-file.ts';
import {openSessionStore, type SessionStore} from '../storage/sessions/session-store.ts';
import type {StoredSession} from '../storage/sessions/stored-session.ts';
import type {Opening} from '../session/events.ts';
import type {SessionState} from '../session/state.ts';

/** The session that `--continue` and `--resume` open. */
export interface ResumeTarget {
  /** The options, with the folders of the session, and its agent if it is the demo agent. */
  readonly given: CommonOptions;
  readonly opening: Opening;
  /** The agent of the session; undefined if the options name one. */
  readonly agent?: AgentCommand;
  /** Where we stored the session: our id of it, and how it stood. */
  readonly kept?: {readonly id: string; readonly session: SessionState};
  /** What is not as it was, in sentences for the user. */
  readonly problems?: readonly string[];
}

interface ResumeContext {
  /** False in a run without a screen. */
  readonly person?: boolean;
  readonly warn?: (sentence: string) => void;
  /** Shows the progress of reading many sessions; undefined without a terminal. */
  readonly status?: ((text: string) => void) | undefined;
}

/**
 * Finds what to go on with: the newest session of the folder, or the one that was named. One that is not stored here is left to
 * the agent: it may know it. `no_such_session`, or `unknown_value` where a name fits several.
 */
export async function findResumeTarget(
  given: CommonOptions,
  state: string,
  {warn = () => {}, status, person = true}: ResumeContext = {},
): Promise<Result<ResumeTarget>> {
  const wanted = given.resumeRequest;
  if (wanted === undefined) return {ok: true, value: {given, opening: {kind: 'new'}}};
  if (wanted.which === 'chosen') return {ok: true, value: {given, opening: {kind: 'later'}}};
  const database = openDatabase(state, {onDamaged: warn});
  try {
    const store = openSessionStore({
      state,
      database,
      onProblem: () => {},
      onLeftOut: (failures) => warn(skippedNotice(failures)),
    });
    const found = await (wanted.which === 'newest'
      ? newestOf(store, given, {status, person})
      : named(store, wanted.id));
    if (!found.ok) return found;
    return await taken(store, given, found.value);
  } finally {
    database.close();
  }
}

async function newestOf(
  store: SessionStore,
  {cwd, agent}: CommonOptions,
  {status, person}: Pick<ResumeContext, 'status' | 'person'>,
): Promise<Result<StoredSession | undefined>> {
  await store.catchUp(reportReading(status));
  const listed = store.list({cwd: path.resolve(cwd ?? '.')});
  // What cannot be read here, the agent may still know.
  if (!listed.ok) return {ok: true, value: undefined};
  const known = listed.value.filter(
    (session) => session.agentSessionId !== undefined && (agent === undefined || isOf(session, agent)),
  );
  return {ok: true, value: person ? await usedByPerson(store, known) : known[0]};
}

/**
 * Returns the newest session; of several copies of one the newest that was open in a window: a run without a screen makes a copy of
 * what a window has open, and the agent tells all of it when either is loaded.
 */
async function usedByPerson(
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

/** True if the agent as it was named is the one that the session had. */
function isOf({agent: {label, command, args}}: StoredSession, named: string): boolean {
  if (named === label) return true;
  const line = parseCommandLine(named, {});
  return line.ok && isDeepStrictEqual([line.value.program, ...line.value.args], [command, ...args]);
}

async function named(store: SessionStore, id: string): Promise<Result<StoredSession | undefined>> {
  const found = await store.locate(id);
  if (found.ok || (found.failure.kind === 'unknown_value' && found.failure.valid.length > 1)) return found;
  return {ok: true, value: undefined};
}

async function taken(
  store: SessionStore,
  given: CommonOptions,
  stored: StoredSession | undefined,
): Promise<Result<ResumeTarget>> {
  const {resumeRequest: wanted, fork} = given;
  if (!stored) {
    const opening: Opening =
      wanted?.which === 'named' ? {kind: 'continue', sessionId: wanted.id, fork} : {kind: 'newest', fork};
    return {ok: true, value: {given, opening}};
  }
  const {agentSessionId: sessionId, agent, cwd, additionalDirectories} = stored;
  const earlier = {sessionId, stored, cwd, additionalDirectories};
  const resumed = await resume(earlier, store, {fork, instead: path.resolve(given.cwd ?? '.')});
  if (!resumed.ok) return resumed;
  const {folders, opening, session, problems} = resumed.value;
  const isDemo = agent.label === 'demo';
  // One that was imported has no agent of its own.
  const isStarted = given.agent === undefined && !isDemo && agent.command !== '';
  const own = isStarted ? {...agent, env: given.env} : undefined;
  return {
    ok: true,
    value: {
      given: {...given, ...folders, agent: given.agent ?? (isDemo ? 'demo' : undefined)},
      opening,
      ...(own && {agent: {label: own.label, command: own.command, args: own.args, env: own.env}}),
      ...(session && {kept: {id: stored.id, session}}),
      problems,
    },
  };
}
