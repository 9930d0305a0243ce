import {reportLostProviders, tellProviders} from '../settings/own-provider.ts';
import {systemPromptProblem} from '../../protocol/capabilities.ts';
import type {NextOpening, OpeningMethod, OpenedSession, Opening} from '../../session/events.ts';
import {serversChanged} from '../../session/lifecycle/mcp-servers.ts';
import {currentMode} from '../../session/selectors.ts';
import {configOptionOfCategory} from '../../session/settings/options.ts';
import {asksLessText, doesNotAskText, unattendedOptions} from '../../session/settings/unattended.ts';
import type {SessionState} from '../../session/state.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {DONE, fail, type Failure, type Result} from '../../shared/failure.ts';
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
import {limitWithoutUser} from './answer-limits.ts';
import {closeAgentSession} from './agent-sessions.ts';
import type {AgentRun} from './phases.ts';
import {
  continueNewest,
  continueSession,
  forgetReplay,
  isTaken,
  sameSession,
  type How,
  type Opened,
} from './reopen-session.ts';

/**
 * Opens `context.opening` on an initialized connection ("Session Setup"), then applies the requested settings. With a user, an unavailable setting adds a
 * notice and the session continues; without one it is a failure.
 */
export async function openSession(
  context: ConversationContext,
  run: AgentRun,
  previous: Opening = context.opening,
): Promise<Result<void>> {
  const {sink, opening} = context;
  if (opening.kind === 'later') {
    enterPhase(context, 'not_opened', {failure: undefined});
    return DONE;
  }
  // At once: the caller relies on the phase, and no prompt may go to the session that is left.
  const phase = enterPhase(context, 'open', {previous});
  if (!phase) return notRunning();
  const told = tellProviders(context, run);
  const refusal = systemPromptRefusal(context) ?? (told && (await told));
  if (context.phase !== phase) return endSupersededStart(run, notRunning());
  if (refusal) return fail(refusal);
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
  context.host.sessionOpened(session.sessionId);
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
  reportLostProviders(context);
  reportServers(context, before, opened.value);
  if (opened.value.wasOpen)
    warn(context, 'The agent already had this session open, perhaps in another window or client.');
  if (how !== 'new') await restoreSettings(context, before, session);
  const applied = await applyWanted(context, how);
  if (context.phase !== phase || !applied.ok) return applied;
  reportUnasked(context, how === 'new' ? undefined : before);
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

async function ask(
  context: ConversationContext,
  run: AgentRun,
  {opening, ...how}: {readonly opening: NextOpening} & How,
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
  if (!context.options.hasUser) return fail(failure);
  warn(context, failureSentence(failure));
  return DONE;
}

/** Warns of a mode in which the agent asks less than in another one that it has, or than before, and of options with which it does not ask, unless the user chose them. */
function reportUnasked(context: ConversationContext, resumed: SessionState | undefined): void {
  const session = context.sink.state();
  const {settings, newSettings = settings, agent, startModes} = context.options;
  const chosen = [settings, newSettings].flatMap(({options}) => options);
  const earlier = new Set(resumed && unattendedOptions(resumed).map(({id}) => id));
  for (const option of unattendedOptions(session))
    if (!earlier.has(option.id) && chosen.every(([id]) => id !== option.id))
      warnOfStart(context, option, doesNotAskText(option));
  const mode = currentMode(session);
  const modeOption = configOptionOfCategory(session, 'mode')?.id;
  const isChosen =
    [settings.mode, newSettings.mode].includes(mode?.id) ||
    chosen.some(([id, value]) => id === modeOption && value === mode?.id);
  if (!mode || isChosen) return;
  const before = resumed ? currentMode(resumed) : startModes?.of(agent.label);
  const text = (resumed ? undefined : asksLessText(session)) ?? (before && asksLessText(session, before));
  if (text !== undefined) warnOfStart(context, mode, text);
  if (!resumed) startModes?.save(agent.label, mode);
}

function warnOfStart({sink}: ConversationContext, {name}: {readonly name: string}, text: string): void {
  sink.emit({type: 'notice', level: 'warning', text, setting: name, at: Date.now()});
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
