import {setTimeout as delay} from 'node:timers/promises';
import type {SessionSetup} from '../../protocol/connection.ts';
import type {ListedSession, SessionActions} from '../../session/actions.ts';
import type {OpeningMethod, OpenedSession, Opening} from '../../session/events.ts';
import {agentCan, hasCapability} from '../../session/lifecycle/agent-capabilities.ts';
import {allSessions} from '../../session/lifecycle/all-sessions.ts';
import {fail, type Failure, type Result} from '../../shared/failure.ts';
import {agentFolder, notRunning, type ConversationContext} from '../context.ts';
import {listSessions} from './agent-sessions.ts';
import type {AgentRun} from './phases.ts';
import {addAll} from '../../text/lists.ts';

/** How a session is requested. */
export interface How {
  readonly setup: SessionSetup;
  readonly signal: AbortSignal;
}

/** `wasOpen` is true if the agent already had it in memory, for any client. */
export type Opened = Result<{session: OpenedSession; how: OpeningMethod; wasOpen?: boolean}>;

const LOAD_FIRST = ['load', 'resume'] as const;
const RESUME_FIRST = ['resume', 'load'] as const;

/** "Resource not found": the agent does not have the session. */
const NOT_FOUND = -32_002;

/**
 * Reopens an earlier session with what the agent supports: `session/load`, which replays the conversation, else `session/resume`; `session/fork` for a copy.
 * Always sends all folders. Never opens a new session instead: if nothing works, the failure is `cannot_continue` or `no_such_session`. Once `signal` aborts,
 * no more requests are sent and the state is unchanged.
 */
export async function continueSession(
  context: ConversationContext,
  run: AgentRun,
  opening: Continued & How,
): Promise<Opened> {
  const {sessionId, setup, signal, fork: copies} = opening;
  if (!copies && isTaken(run, sessionId)) return fail(failureOf(sessionId, sameSession('session/load')));
  const capabilities = context.sink.state().agent?.capabilities;
  const status = await statusOf(context, run, opening);
  if (signal.aborted) return notRunning();
  if (status === 'unknown') return fail({kind: 'no_such_session', wanted: sessionId});
  let failure: Failure | undefined;
  if (copies && !hasCapability(capabilities, 'fork'))
    return fail({kind: 'cannot_continue', sessionId, lacks: 'fork'});
  if (copies) {
    const forked = await fork(context, run, opening);
    return forked.ok || !isItsOwn(forked.failure) ? forked : fail(failureOf(sessionId, forked.failure));
  }
  for (const way of opening.isHere ? RESUME_FIRST : LOAD_FIRST) {
    if (!hasCapability(capabilities, way)) continue;
    const opened = await (way === 'load' ? load : resume)(context, run, {sessionId, setup, signal});
    if (opened.ok) return {ok: true, value: {...opened.value, wasOpen: status === 'open'}};
    if (signal.aborted || !isItsOwn(opened.failure)) return opened;
    // The first error message is usually clearer.
    failure ??= opened.failure;
  }
  if (!failure) return fail({kind: 'cannot_continue', sessionId, lacks: 'load'});
  const isGone = await isUnlisted(context, sessionId);
  return fail(isGone ? {kind: 'no_such_session', wanted: sessionId} : failureOf(sessionId, failure));
}

/** Returns the agent's status of a session that this process did not open, if it supports that; a failure does not prevent opening it. */
async function statusOf(
  {sink}: ConversationContext,
  {connection}: AgentRun,
  {sessionId, isHere}: Continued,
): Promise<'open' | 'saved' | 'unknown' | undefined> {
  if (isHere || !agentCan(sink.state(), 'status')) return undefined;
  const status = await connection.sessionStatus(sessionId);
  if (status.ok) return status.value;
  return status.failure.kind === 'agent_error' && status.failure.code === NOT_FOUND ? 'unknown' : undefined;
}

/** Reopens the agent's most recent session in this folder; `no_such_session` if it lists none. */
export async function continueNewest(
  context: ConversationContext,
  run: AgentRun,
  {fork = false, ...how}: {readonly fork?: boolean | undefined} & How,
): Promise<Opened> {
  const listed: ListedSession[] = [];
  const folder = agentFolder(context.options);
  const asked = await allSessions(listing(context), {cwd: folder}, (page) => addAll(listed, page));
  if (!asked.ok && asked.failure.kind !== 'not_offered') return asked;
  const here = listed.filter(({cwd}) => cwd === folder);
  const [newest] = here.sort((one, other) => (other.updatedAt ?? 0) - (one.updatedAt ?? 0));
  if (!newest) return fail({kind: 'no_such_session', wanted: ''});
  return continueSession(context, run, {kind: 'continue', sessionId: newest.sessionId, fork, ...how});
}

function listing(context: ConversationContext): Pick<SessionActions, 'listSessions'> {
  return {listSessions: (filter, cursor) => listSessions(context, filter, cursor)};
}

/** True if the agent lists its sessions without this one: few report that when asked to open it. */
async function isUnlisted(context: ConversationContext, sessionId: string): Promise<boolean> {
  let isFound = false;
  const asked = await allSessions(listing(context), {}, (page) => {
    isFound ||= page.some((listed) => listed.sessionId === sessionId);
  });
  return asked.ok && !isFound;
}

type Continued = Extract<Opening, {kind: 'continue'}>;

interface Asked extends How {
  readonly sessionId: string;
}

async function load(
  context: ConversationContext,
  run: AgentRun,
  {sessionId, setup, signal}: Asked,
): Promise<Opened> {
  const {sink} = context;
  sink.emit({type: 'replay_started', at: Date.now()});
  run.updates.open(sessionId);
  const opened = await run.connection.loadSession(sessionId, setup, signal);
  if (opened.ok && !signal.aborted) await untilReplayed(context);
  if (opened.ok) return {ok: true, value: {session: opened.value, how: 'load'}};
  if (signal.aborted) return opened;
  forgetReplay(context, run);
  return opened;
}

/** Drops updates and requests for a session that could not be opened. */
export function forgetReplay({host, sink}: ConversationContext, {updates}: AgentRun): void {
  updates.close();
  host.cancelPending();
  if (sink.state().replay) sink.emit({type: 'replay_dropped', at: Date.now()});
}

/** For agents that replay after their response: limits for the start and for pauses, in milliseconds. */
const LATE_MS = 500;
const PAUSE_MS = 250;

/** Waits for agents that replay the conversation after their response, so that it is merged like any other. */
async function untilReplayed({sink}: ConversationContext): Promise<void> {
  const replayed = () => sink.state().replay?.entries;
  // A conversation rarely ends with a prompt: the answer may still come.
  const entries = replayed();
  if (!entries || (entries.length > 0 && entries.at(-1)?.type !== 'user_message')) return;
  await delay(LATE_MS);
  for (let before; before !== replayed() && replayed()?.length !== 0;) {
    before = replayed();
    await delay(PAUSE_MS);
  }
}

async function resume(
  _: ConversationContext,
  run: AgentRun,
  {sessionId, setup, signal}: Asked,
): Promise<Opened> {
  run.updates.expect(sessionId);
  const opened = await run.connection.resumeSession(sessionId, setup, signal);
  return opened.ok ? {ok: true, value: {session: opened.value, how: 'resume'}} : opened;
}

/** A fork of a conversation that is not stored is loaded, so that it can be shown. */
async function fork(
  context: ConversationContext,
  run: AgentRun,
  {sessionId, setup, forkAt, signal}: Asked & Pick<Continued, 'forkAt'>,
): Promise<Opened> {
  run.updates.expect();
  const forked = await run.connection.forkSession(sessionId, {...setup, forkAt: forkAt?.at}, signal);
  if (!forked.ok) return forked;
  if (isTaken(run, forked.value.sessionId)) return fail(sameSession('session/fork'));
  if (signal.aborted) return {ok: true, value: {session: forked.value, how: 'fork'}};
  const {agent, entries, sessionStart} = context.sink.state();
  if (entries.length === sessionStart && hasCapability(agent?.capabilities, 'load')) {
    const loaded = await load(context, run, {sessionId: forked.value.sessionId, setup, signal});
    if (loaded.ok || signal.aborted) return loaded;
  }
  // Some agents replay the conversation of a fork before they return its id: that is merged with the stored one.
  context.sink.emit({type: 'replay_started', at: Date.now()});
  run.updates.open(forked.value.sessionId);
  return {ok: true, value: {session: forked.value, how: 'fork'}};
}

/** True if another session of the window has this id at the same agent, and would get its updates. */
export const isTaken = (run: AgentRun, sessionId: string) =>
  run.others().some(({served}) => served.sink.state().sessionId === sessionId);

/** Some agents have only one session, and return it again; or a session was selected twice. */
export function sameSession(method: string): Failure {
  return {kind: 'agent_error', method, code: 0, message: 'this session is open already'};
}

/** True for a failure of this session only; a lost connection or a required sign-in affects all of them. */
const isItsOwn = ({kind}: Failure) => kind === 'agent_error';

function failureOf(sessionId: string, cause: Failure): Failure {
  return cause.kind === 'agent_error' && cause.code === NOT_FOUND
    ? {kind: 'no_such_session', wanted: sessionId}
    : {kind: 'cannot_continue', sessionId, cause};
}
