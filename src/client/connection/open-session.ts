import {setImmediate as macrotask} from 'node:timers/promises';
import {systemPromptProblem} from '../../protocol/capabilities.ts';
import type {OpeningMethod, OpenedSession, Opening} from '../../session/events.ts';
import {serversChanged} from '../../session/lifecycle/mcp-servers.ts';
import type {SessionState} from '../../session/state.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {
  agentFolder,
  connectionChanged,
  isCurrent,
  setupOf,
  type ClientContext,
  type AgentRun,
} from '../context.ts';
import {applySettings} from '../settings/apply-settings.ts';
import {restoreSettings} from '../settings/restore-settings.ts';
import {selectServers} from '../trust/mcp-servers.ts';
import {closeAgentSession} from './agent-sessions.ts';
import {continueNewest, continueSession, forgetReplay, isTaken, sameSession} from './continue-session.ts';

const DONE: Result<void> = {ok: true, value: undefined};

/**
 * Opens `context.opening` on an initialized connection ("Session Setup"), then applies the requested settings. With a user, an unavailable setting adds a
 * notice and the session continues; without one it is a failure.
 */
export async function openSession(context: ClientContext, run: AgentRun): Promise<Result<void>> {
  const {sink, opening} = context;
  if (opening.kind === 'later') {
    connectionChanged(context, {kind: 'no_session', failure: undefined});
    return DONE;
  }
  const refusal = systemPromptRefusal(context);
  if (refusal) return {ok: false, failure: refusal};
  connectionChanged(context, {kind: 'starting', step: 'opening_session', since: Date.now()});
  const before = sink.state();
  const {endOffers: endEarlierOffers} = run;
  selectServers(context, run);
  const endEarlier = context.host.terminals.startGeneration();
  const opened = await untilCancelled(context, methodOf(opening), {
    ask: (signal) => ask(context, run, {opening, signal}),
    late: ({session}) => closeUnwanted(context, run, session.sessionId),
  });
  if (!isCurrent(context, run)) return DONE;
  void (opened.ok ? endEarlierOffers : run.endOffers)?.();
  if (!opened.ok) {
    run.endOffers = endEarlierOffers;
    forgetReplay(context, run);
    return opened;
  }
  const {session: reply, how} = opened.value;
  const {greeting, ...session} = reply;
  sink.emit({type: 'session_opened', session, how, at: Date.now()});
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
  if (!isCurrent(context, run) || !applied.ok) return applied;
  connectionChanged(context, {kind: 'ready'});
  return DONE;
}

/** The user stopped waiting, but the agent opened the session and may keep running for other sessions. */
function closeUnwanted(context: ClientContext, run: AgentRun, sessionId: string): void {
  if (run.agent.router.owner(sessionId) === undefined) void closeAgentSession(context, run, sessionId);
}

/** Without the system prompt the agent might do what the user wanted to rule out. */
function systemPromptRefusal({options: {systemPrompt}, sink}: ClientContext): Failure | undefined {
  const why = systemPrompt && systemPromptProblem(systemPrompt, sink.state().agent?.capabilities);
  return why === undefined ? undefined : {kind: 'not_offered', what: 'the system prompt', why};
}

function methodOf(opening: Opening): string {
  if (opening.kind === 'new') return 'session/new';
  return 'fork' in opening && opening.fork ? 'session/fork' : 'session/load';
}

async function ask(
  context: ClientContext,
  run: AgentRun,
  {opening, signal}: {readonly opening: Exclude<Opening, {kind: 'later'}>; readonly signal: AbortSignal},
): Promise<Result<{session: OpenedSession; how: OpeningMethod; wasOpen?: boolean}>> {
  if (opening.kind === 'newest') return continueNewest(context, run, {fork: opening.fork, signal});
  if (opening.kind === 'continue') return continueSession(context, run, {...opening, signal});
  run.updates.expect();
  const opened = await run.connection.newSession(setupOf(context), signal);
  if (!opened.ok) return opened;
  const {sessionId} = opened.value;
  if (isTaken(run, sessionId)) return {ok: false, failure: sameSession('session/new')};
  return {ok: true, value: {session: opened.value, how: 'new'}};
}

/** Reports requested folders that the agent does not know of. */
function reportFolders(context: ClientContext, session: OpenedSession): void {
  const {additionalDirectories} = context.options;
  if (additionalDirectories.length <= session.additionalDirectories.length) return;
  warn(
    context,
    `The agent does not support additional folders; it does not know of ${additionalDirectories.join(', ')}.`,
  );
}

/** A remote agent works in a folder of its own computer, which may look like a local one. */
function reportRemoteFolder({options, sink}: ClientContext): void {
  const {agent, offer} = options;
  if (!agent.remote) return;
  const here =
    offer.fs || offer.terminal ? '' : ' It has no access to files and commands here through acp-tui.';
  const text = `The agent runs at ${agent.command}, in its own folder ${escapeHiddenLine(agentFolder(options))}.${here}`;
  sink.emit({type: 'notice', level: 'info', text, at: Date.now()});
}

/** Reports if a resumed session was opened with other servers. */
function reportServers(
  {sink}: ClientContext,
  {mcpServers: before}: SessionState,
  {session, how}: {readonly session: OpenedSession; readonly how: OpeningMethod},
): void {
  const text = how === 'new' ? undefined : serversChanged(before, session.mcpServers ?? []);
  if (text !== undefined) sink.emit({type: 'notice', level: 'info', text, at: Date.now()});
}

/**
 * Settings of the command line apply to the first session and to new ones after it; a resumed one has its own. The user's settings for the agent apply to new
 * sessions.
 */
async function applyWanted(context: ClientContext, how: OpeningMethod): Promise<Result<void>> {
  const isFirst = !context.wasOpen;
  context.wasOpen = true;
  if (!isFirst && how !== 'new') return DONE;
  const {settings, newSettings = settings} = context.options;
  const applied = await applySettings(context, how === 'new' ? newSettings : settings);
  if (applied.ok) return applied;
  const failure = withOrigin(applied.failure, context);
  if (!context.options.person) return {ok: false, failure};
  warn(context, failureSentence(failure));
  return DONE;
}

/** Adds the origin of a setting that is not from the command line. */
function withOrigin(failure: Failure, {options: {settings, agent}}: ClientContext): Failure {
  if (failure.kind !== 'unknown_value') return failure;
  const given = [settings.mode, settings.model, ...settings.options.flat()];
  return given.includes(failure.value)
    ? failure
    : {...failure, askedBy: `agents.${agent.label} in the settings`};
}

export function warn(context: ClientContext, text: string): void {
  context.sink.emit({type: 'notice', level: 'warning', text, at: Date.now()});
}

/** True if the agent keeps running without a session, and the user decides what to do. */
export function keepsAgentRunning({kind}: Failure): boolean {
  return kind === 'cannot_continue' || kind === 'no_such_session';
}

/** A request to an agent that the user can cancel. */
interface Cancellable<T> {
  /** `signal` aborts on cancel; the agent is then asked to cancel ("Cancellation"). */
  readonly ask: (signal: AbortSignal) => Promise<Result<T>>;
  /** Called with a response that arrives after the cancel. */
  readonly late?: (value: T) => void;
}

/**
 * Waits for an agent's response until the user cancels (`SessionActions.cancel`) or the session leaves the agent: then the result is the failure `no_answer`.
 */
export async function untilCancelled<T>(
  context: ClientContext,
  method: string,
  {ask, late}: Cancellable<T>,
): Promise<Result<T>> {
  const since = performance.now();
  const withdrawal = new AbortController();
  const {promise: givenUp, resolve} = Promise.withResolvers<undefined>();
  const giveUp = () => {
    withdrawal.abort();
    resolve(undefined);
  };
  context.giveUp = giveUp;
  const asked = ask(withdrawal.signal);
  const answer = await Promise.race([asked, givenUp]);
  if (context.giveUp === giveUp) context.giveUp = undefined;
  if (answer && !withdrawal.signal.aborted) return answer;
  void asked.then((answer) => answer.ok && late?.(answer.value));
  // The cancellation is sent before the connection may be closed.
  await macrotask();
  const seconds = Math.round((performance.now() - since) / 1000);
  return {ok: false, failure: {kind: 'no_answer', method, seconds, isGivenUp: true}};
}
