import {launchAgent} from '../../agents/launch.ts';
import type {Update} from '../../session/events.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import {connectionChanged, isCurrent, type ClientContext, type AgentRun} from '../context.ts';
import {endOpenTurn} from '../prompt/turns.ts';
import {askToSignIn, signInByAgent, readAuthStatus} from '../sign-in/agent-sign-in.ts';
import {signIn} from '../sign-in/sign-in.ts';
import {findValues, withValues, withKnownVariables} from '../sign-in/variables.ts';
import {isSubagent} from '../../session/subagents/tree.ts';
import {unnested, type RoutedUpdate} from '../../session/subagents/nested.ts';
import {untilCancelled, keepsAgentRunning, openSession} from './open-session.ts';
import {updateEvent} from './session-host.ts';
import {createUpdateRouter} from './update-router.ts';

/**
 * Launches the agent and opens a session: launch, `initialize`, `authenticate` where a method was given, `session/new`, then
 * the wanted settings. Each step shows in the state. A failure ends the process again, except when only a sign-in is missing.
 */
export async function start(context: ClientContext): Promise<Result<void>> {
  connectionChanged(context, {kind: 'starting', step: 'launching', since: Date.now()});
  const launching = launch(context);
  context.launching = launching;
  const launched = await launching;
  if (!launched.ok) return failed(context, launched.failure);
  const run = launched.value;
  const opened = await initializeAndOpen(context, run);
  run.starting = false;
  if (opened.ok || !isCurrent(context, run)) return opened;
  const {failure: problem} = opened;
  // Where the agent offers no way to sign in there is nothing to choose from: the user signs in elsewhere and tries again.
  if (problem.kind === 'authentication_required' && problem.methods.length > 0)
    return askToSignIn(context, problem);
  if (context.options.person && keepsAgentRunning(problem)) {
    connectionChanged(context, {kind: 'no_session', failure: problem});
    return opened;
  }
  const failure = await withExit(context, run, problem);
  context.run = undefined;
  run.connection.close();
  await run.process.stop();
  return failed(context, failure);
}

async function launch(context: ClientContext): Promise<Result<AgentRun>> {
  const {options, sink, wire} = context;
  const {agent, cwd} = options;
  const values = await findValues(context);
  const launched = await launchAgent(withValues(agent, values), {
    cwd,
    onEvent(event) {
      if (event.kind === 'stderr') sink.log('info', `agent stderr: ${event.text}`);
      wire.onEvent?.(event);
    },
  });
  if (!launched.ok) return launched;
  context.lastProcess = launched.value;
  context.processes.push(launched.value);
  const updates = createUpdateRouter({
    deliver: (sessionId, update) => deliverUpdate(context, {sessionId, update}),
    stray: (sessionId, update) =>
      sink.log('warn', `${update.sessionUpdate} for ${sessionId}, which is not open`),
    isSubagent(sessionId) {
      const {replay = sink.state()} = sink.state();
      return isSubagent(replay, sessionId);
    },
  });
  // The SDK takes as long to load as an agent to start: both at once.
  const {connectProtocol: speak} = await import('./connect-protocol.ts');
  const connection = speak(context, launched.value, updates);
  const run: AgentRun = {
    process: launched.value,
    connection,
    updates,
    starting: true,
    sessionOpen: false,
    startedFor: values?.method,
  };
  context.run = run;
  void connection.closed.then((failure) => connectionEnded(context, run, failure));
  return {ok: true, value: run};
}

/** Folds an update into the session, or the subagent, that it is of; the host hears of tool calls. */
function deliverUpdate(context: ClientContext, {sessionId, update: told}: RoutedUpdate): void {
  const {sink, host, run} = context;
  const update = withoutGreeting(told, run?.greeting);
  const {replay = sink.state()} = sink.state();
  for (const each of unnested(replay, {sessionId, update})) {
    sink.emit(updateEvent(sink.state(), each));
    if (each.update.sessionUpdate === 'tool_call' || each.update.sessionUpdate === 'tool_call_update')
      host.toolCallUpdated(each.sessionId, each.update);
  }
}

/** The greeting of an agent is a notice: it answers no prompt, also where it comes after the first one. */
function withoutGreeting(update: Update, greeting: string | undefined): Update {
  const isGreeting =
    greeting !== undefined &&
    update.sessionUpdate === 'agent_message_chunk' &&
    update.content.type === 'text' &&
    update.content.text === greeting;
  return isGreeting ? {sessionUpdate: 'notice', severity: 'info', title: greeting.trim()} : update;
}

async function initializeAndOpen(context: ClientContext, run: AgentRun): Promise<Result<void>> {
  const {options, sink} = context;
  connectionChanged(context, {kind: 'starting', step: 'initializing', since: Date.now()});
  const offer = {
    ...options.offer,
    terminalSignIn: options.foreground !== undefined,
    elicitation: options.person,
  };
  const initialized = await untilCancelled(context, 'initialize', () =>
    withinSeconds(run.connection.initialize(offer), options.startSeconds),
  );
  if (!initialized.ok) return withStrayOutput(context, run, initialized.failure);
  if (!isCurrent(context, run)) return {ok: true, value: undefined};
  const {agentInfo, authMethods} = initialized.value;
  const response = {...initialized.value, authMethods: withKnownVariables(authMethods, agentInfo?.name)};
  sink.emit({type: 'agent_initialized', response, fallbackName: options.agent.label, at: Date.now()});
  void readAuthStatus(context, run);
  return options.authMethod === undefined
    ? openWithValues(context, run)
    : signIn(context, options.authMethod);
}

/** An agent that was started with values for a method may want to be told of that before it uses them. */
async function openWithValues(context: ClientContext, run: AgentRun): Promise<Result<void>> {
  const {startedFor} = run;
  const opened = await openSession(context, run);
  const isAsked = !opened.ok && opened.failure.kind === 'authentication_required';
  const method = context.sink.state().agent?.authMethods.find(({id}) => id === startedFor);
  return isAsked && method ? signInByAgent(context, run, method) : opened;
}

/** The connection is over. While `start` waits, `start` tells why; afterwards this does. */
async function connectionEnded(
  context: ClientContext,
  run: AgentRun,
  failure: Failure | undefined,
): Promise<void> {
  if (!isCurrent(context, run) || run.starting) return;
  const exit = await settledWithin(run.process.exited, 1000);
  if (!isCurrent(context, run)) return;
  context.run = undefined;
  context.host.cancelPending();
  const problem = failure?.kind === 'connection_lost' ? failure.problem : undefined;
  const lost: Failure =
    failure === undefined || failure.kind === 'connection_lost'
      ? {
          kind: 'connection_lost',
          exit,
          stderrTail: run.process.stderrTail(),
          ...(problem !== undefined && {problem}),
        }
      : failure;
  endOpenTurn(context, lost);
  connectionChanged(context, {kind: 'lost', failure: lost});
  await Promise.all([run.process.stop(), context.host.terminals.closeAll()]);
}

/** An agent that printed something else and then fell silent does not speak the protocol. */
function withStrayOutput({options}: ClientContext, run: AgentRun, failure: Failure): Result<never> {
  const sample = run.connection.nonProtocolOutput();
  if (failure.kind !== 'no_answer' || sample === undefined) return {ok: false, failure};
  return {ok: false, failure: {kind: 'not_acp', command: options.agent.label, sample}};
}

async function withExit(context: ClientContext, run: AgentRun, failure: Failure): Promise<Failure> {
  if (failure.kind !== 'connection_lost') return failure;
  const exit = await settledWithin(run.process.exited, 1000);
  if (!exit) return failure;
  const command = context.options.agent.label;
  return {kind: 'exited_early', command, exit, stderrTail: run.process.stderrTail()};
}

function failed(context: ClientContext, failure: Failure): Result<void> {
  connectionChanged(context, {kind: 'failed', failure});
  return {ok: false, failure};
}

/** The failure `no_answer` when `initialize` takes longer; a late answer changes nothing. */
async function withinSeconds<T>(request: Promise<Result<T>>, seconds: number): Promise<Result<T>> {
  const answer = await settledWithin(request, seconds * 1000);
  return answer ?? {ok: false, failure: {kind: 'no_answer', method: 'initialize', seconds}};
}

/** The value, or undefined when it takes longer than `milliseconds`. */
async function settledWithin<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  const {promise: late, resolve} = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, milliseconds, undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
