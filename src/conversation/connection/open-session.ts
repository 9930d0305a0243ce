import {setTimeout as delay} from 'node:timers/promises';
import type {SessionSetup} from '../../protocol/connection.ts';
import {providerRefusal} from '../settings/own-provider.ts';
import {systemPromptProblem} from '../../protocol/capabilities.ts';
import type {ListedSession, SessionActions} from '../../session/actions.ts';
import type {OpeningMethod, OpenedSession, Opening} from '../../session/events.ts';
import {agentCan, hasCapability} from '../../session/lifecycle/agent-capabilities.ts';
import {serversChanged} from '../../session/lifecycle/mcp-servers.ts';
import {currentMode} from '../../session/selectors.ts';
import {configOptionOfCategory} from '../../session/settings/options.ts';
import {asksLessText} from '../../session/settings/unattended.ts';
import type {SessionState} from '../../session/state.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {fail, type Failure, type Result} from '../../shared/failure.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {
  agentFolder,
  enterPhase,
  inform,
  notRunning,
  setupOf,
  awaitResponse,
  warn,
  type ConversationContext,
} from '../context.ts';
import {applySettings} from '../settings/apply-settings.ts';
import {restoreSettings} from '../settings/restore-settings.ts';
import {selectServers} from '../trust/mcp-servers.ts';
import {allSessions} from '../../session/lifecycle/all-sessions.ts';
import {limitWithoutUser} from './answer-limits.ts';
import {closeAgentSession, listSessions} from './agent-sessions.ts';
import type {AgentRun} from './phases.ts';

const DONE: Result<void> = {ok: true, value: undefined};

/**
 * Opens `context.opening` on an initialized connection ("Session Setup"), then applies the requested settings. With a user, an unavailable setting adds a
 * notice and the session continues; without one it is a failure.
 */
export async function openSession(
  context: ConversationContext,
  run: AgentRun,
  previous: Opening = context.opening,
): Promise<Result<void>> {
  const {sink, opening, options} = context;
  if (opening.kind === 'later') {
    enterPhase(context, 'not_opened', {failure: undefined});
    return DONE;
  }
  const refusal = systemPromptRefusal(context) ?? (options.provider && (await providerRefusal(context, run)));
  if (refusal) return {ok: false, failure: refusal};
  const phase = enterPhase(context, 'open', {previous});
  if (!phase) return notRunning();
  const before = sink.state();
  const {endOffers: endEarlierOffers} = run;
  const setup = setupOf(context, selectServers(context, run));
  const endEarlier = context.host.terminals.startGeneration();
  const opened = await awaitResponse(phase, {
    method: methodOf(opening),
    ask: (signal) =>
      limitWithoutUser(context, methodOf(opening), ask(context, run, {opening, setup, signal})),
    late: ({session}) => closeUnwanted(context, run, session.sessionId),
  });
  if (context.phase !== phase) return endSupersededStart(run, opened.ok ? notRunning() : opened);
  void (opened.ok ? endEarlierOffers : run.endOffers)?.();
  if (!opened.ok) {
    run.endOffers = endEarlierOffers;
    forgetReplay(context, run);
    return opened;
  }
  const {session: reply, how} = opened.value;
  const {greeting, ...session} = reply;
  const rewoundTo = 'forkAt' in opening ? opening.forkAt?.turn : undefined;
  sink.emit({type: 'session_opened', session, how, rewoundTo, at: Date.now()});
  run.greeting = greeting;
  run.updates.open(session.sessionId);
  run.usageSoFar = how === 'new' || !run.sessionOpen ? null : undefined;
  run.sessionOpen = true;
  // Terminals of the earlier session would never be released.
  void endEarlier();
  context.opening = {kind: 'continue', sessionId: session.sessionId};
  reportFolders(context, session);
  if (!context.wasOpen) reportRemoteFolder(context);
  reportServers(context, before, opened.value);
  if (opened.value.wasOpen)
    warn(context, 'The agent already had this session open, perhaps in another window or client.');
  if (how !== 'new') await restoreSettings(context, before, session);
  const applied = await applyWanted(context, how);
  if (context.phase !== phase || !applied.ok) return applied;
  reportMode(context, how === 'new' ? undefined : before);
  enterPhase(context, 'opened', {});
  return DONE;
}

/** Returns the result of what gave way to another action: that one decides what happens next, no longer `start`. */
export function endSupersededStart<T>(run: AgentRun, result: T): T {
  run.starting = false;
  return result;
}

/** The user stopped waiting, but the agent opened the session and may keep running for other sessions. */
function closeUnwanted(context: ConversationContext, run: AgentRun, sessionId: string): void {
  if (run.agent.router.owner(sessionId) === undefined) void closeAgentSession(context, run, sessionId);
}

/** Without the system prompt the agent might do what the user wanted to rule out. */
function systemPromptRefusal({options: {systemPrompt}, sink}: ConversationContext): Failure | undefined {
  const why = systemPrompt && systemPromptProblem(systemPrompt, sink.state().agent?.capabilities);
  return why === undefined ? undefined : {kind: 'not_offered', what: 'the system prompt', why};
}

function methodOf(opening: Opening): string {
  if (opening.kind === 'new') return 'session/new';
  return 'fork' in opening && opening.fork ? 'session/fork' : 'session/load';
}

/** How a session is requested. */
interface How {
  readonly setup: SessionSetup;
  readonly signal: AbortSignal;
}

async function ask(
  context: ConversationContext,
  run: AgentRun,
  {opening, ...how}: {readonly opening: Exclude<Opening, {kind: 'later'}>} & How,
): Promise<Opened> {
  if (opening.kind === 'newest') return continueNewest(context, run, {fork: opening.fork, ...how});
  if (opening.kind === 'continue') return continueSession(context, run, {...opening, ...how});
  run.updates.expect();
  const opened = await run.connection.newSession(how.setup, how.signal);
  if (!opened.ok) return opened;
  const {sessionId} = opened.value;
  if (isTaken(run, sessionId)) return fail(sameSession('session/new'));
  return {ok: true, value: {session: opened.value, how: 'new'}};
}

/** Reports requested folders that the agent does not know of. */
function reportFolders(context: ConversationContext, session: OpenedSession): void {
  const {additionalDirectories} = context.options;
  if (additionalDirectories.length <= session.additionalDirectories.length) return;
  warn(
    context,
    `The agent does not support additional folders; it does not know of ${additionalDirectories.join(', ')}.`,
  );
}

/** A remote agent works in a folder of its own computer, which may look like a local one. */
function reportRemoteFolder({options, sink}: ConversationContext): void {
  const {agent, offer} = options;
  if (!agent.remote) return;
  const here =
    offer.fs || offer.terminal ? '' : ' It has no access to files and commands here through acp-tui.';
  const folder = escapeHiddenLine(agentFolder(options));
  inform({sink}, `The agent runs at ${agent.command}, in its own folder ${folder}.${here}`);
}

/** Reports if a resumed session was opened with other servers. */
function reportServers(
  {sink}: ConversationContext,
  {mcpServers: before}: SessionState,
  {session, how}: {readonly session: OpenedSession; readonly how: OpeningMethod},
): void {
  const text = how === 'new' ? undefined : serversChanged(before, session.mcpServers ?? []);
  if (text !== undefined) inform({sink}, text);
}

/**
 * Settings of the command line apply to the first session and to new ones after it; a resumed one has its own. The user's settings for the agent apply to new
 * sessions.
 */
async function applyWanted(context: ConversationContext, how: OpeningMethod): Promise<Result<void>> {
  const isFirst = !context.wasOpen;
  context.wasOpen = true;
  if (!isFirst && how !== 'new') return DONE;
  const {settings, newSettings = settings} = context.options;
  const applied = await limitWithoutUser(
    context,
    'session/set_config_option',
    applySettings(context, how === 'new' ? newSettings : settings),
  );
  if (applied.ok) return applied;
  const failure = withOrigin(applied.failure, context);
  if (!context.options.hasUser) return {ok: false, failure};
  warn(context, failureSentence(failure));
  return DONE;
}

/** Warns of a mode in which the agent asks less than in another one that it has, or than before, unless the user chose it. */
function reportMode({sink, options}: ConversationContext, resumed: SessionState | undefined): void {
  const session = sink.state();
  const {settings, newSettings = settings, agent, startModes} = options;
  const mode = currentMode(session);
  const option = configOptionOfCategory(session, 'mode')?.id;
  const isChosen = [settings, newSettings].some(
    (wanted) =>
      wanted.mode === mode?.id || wanted.options.some(([id, value]) => id === option && value === mode?.id),
  );
  if (!mode || isChosen) return;
  const before = resumed ? currentMode(resumed) : startModes?.of(agent.label);
  const text = (resumed ? undefined : asksLessText(session)) ?? (before && asksLessText(session, before));
  if (text !== undefined) warn({sink}, text);
  if (!resumed) startModes?.save(agent.label, mode);
}

/** Adds the origin of a setting that is not from the command line. */
function withOrigin(failure: Failure, {options: {settings, agent}}: ConversationContext): Failure {
  if (failure.kind !== 'unknown_value') return failure;
  const given = [settings.mode, settings.model, ...settings.options.flat()];
  return given.includes(failure.value)
    ? failure
    : {...failure, askedBy: `agents.${agent.label} in the settings`};
}

/** True if the agent keeps running without a session, and the user decides what to do. */
export function keepsAgentRunning({kind}: Failure): boolean {
  return kind === 'cannot_continue' || kind === 'no_such_session';
}

/** `wasOpen` is true if the agent already had it in memory, for any client. */
type Opened = Result<{session: OpenedSession; how: OpeningMethod; wasOpen?: boolean}>;

const LOAD_FIRST = ['load', 'resume'] as const;
const RESUME_FIRST = ['resume', 'load'] as const;

/** "Resource not found": the agent does not have the session. */
const NOT_FOUND = -32_002;

/**
 * Reopens an earlier session with what the agent supports: `session/load`, which replays the conversation, else `session/resume`; `session/fork` for a copy.
 * Always sends all folders. Never opens a new session instead: if nothing works, the failure is `cannot_continue` or `no_such_session`. Once `signal` aborts,
 * no more requests are sent and the state is unchanged.
 */
async function continueSession(
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
async function continueNewest(
  context: ConversationContext,
  run: AgentRun,
  {fork = false, ...how}: {readonly fork?: boolean | undefined} & How,
): Promise<Opened> {
  const listed: ListedSession[] = [];
  const folder = agentFolder(context.options);
  const asked = await allSessions(listing(context), {cwd: folder}, (page) => void listed.push(...page));
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
const isTaken = (run: AgentRun, sessionId: string) =>
  run.others().some(({served}) => served.sink.state().sessionId === sessionId);

/** Some agents have only one session, and return it again; or a session was selected twice. */
function sameSession(method: string): Failure {
  return {kind: 'agent_error', method, code: 0, message: 'this session is open already'};
}

/** True for a failure of this session only; a lost connection or a required sign-in affects all of them. */
const isItsOwn = ({kind}: Failure) => kind === 'agent_error';

function failureOf(sessionId: string, cause: Failure): Failure {
  return cause.kind === 'agent_error' && cause.code === NOT_FOUND
    ? {kind: 'no_such_session', wanted: sessionId}
    : {kind: 'cannot_continue', sessionId, cause};
}
