import {quirksOf} from '../../agents/quirks.ts';
import {fail, type Failure, type Result} from '../../shared/failure.ts';
import {stderrSummary} from '../../shared/agent-text.ts';
import {settledWithin} from '../../shared/timers/settled-within.ts';
import {
  emitConnectionChanged,
  enterPhase,
  inform,
  isCurrent,
  notRunning,
  awaitResponse,
  type ConversationContext,
} from '../context.ts';
import {reviewSandboxWrites} from '../prompt/sandbox-writes.ts';
import {endOpenTurn} from '../prompt/turns.ts';
import {askToSignIn, continueAfterSignIn, readAuthStatus, signInByAgent} from '../sign-in/agent-sign-in.ts';
import {handleSignOutElsewhere} from '../sign-in/log-out.ts';
import {signIn} from '../sign-in/sign-in.ts';
import {findValues, withValues, withKnownVariables} from '../sign-in/variables.ts';
import {confirmFolders} from '../trust/real-folders.ts';
import {isSubagent} from '../../session/subagents/tree.ts';
import {limitInitialize} from './answer-limits.ts';
import {leaveAgent} from './agent-sessions.ts';
import {showSandbox} from './open-sandbox.ts';
import {keepsAgentRunning, openSession} from './open-session.ts';
import type {SharedAgent} from './agent-pool.ts';
import {type AgentMember, deliverUpdate} from './agent-updates.ts';
import {canTransition, type AgentRun} from './phases.ts';
import {isTemporary, reconnect} from './reconnect.ts';

/**
 * Launches the agent, or joins a shared one, and opens a session: launch, `initialize`, `authenticate` if a method was passed, `session/new`, then the
 * requested settings. Each step is a phase. A failure stops the process unless another session uses it or a sign-in is required.
 */
export async function start(
  context: ConversationContext,
  {isApart = false, isReconnecting = false}: StartOptions = {},
): Promise<Result<void>> {
  if (!canTransition(context.phase, 'start')) return notRunning();
  const joined = launch(context, isApart);
  const launching = enterPhase(context, 'start', {joined, isReconnecting});
  const launched = await joined;
  if (context.phase !== launching) return notRunning();
  const failed = (failure: Failure, agent?: SharedAgent): Result<never> => {
    if (!isReconnecting || !isTemporary(failure)) enterPhase(context, 'fail', {failure, agent});
    return fail(failure);
  };
  if (!launched.ok) return failed(launched.failure);
  const run = launched.value;
  const opened = await initializeAndOpen(context, run);
  const isWanted = run.starting && isCurrent(context, run);
  run.starting = false;
  if (opened.ok || !isWanted) return opened;
  const {failure: problem} = opened;
  if (refusesAnother(run, problem)) return startApartForGood(context, run);
  // Without sign-in methods there is nothing to select: the user signs in elsewhere and retries.
  if (problem.kind === 'authentication_required' && problem.methods.length > 0)
    return askToSignIn(context, problem);
  const failure = await withRefusal(context, run, await withExit(context, run, problem));
  if (!isCurrent(context, run)) return notRunning();
  if (context.options.hasUser && keepsAgentRunning(problem)) {
    enterPhase(context, 'not_opened', {failure});
    return fail(failure);
  }
  const isLost = problem.kind === 'connection_lost' && !isReconnecting;
  if (isLost) rememberLoss(context, run);
  const isLeft = await leaveFor(context, run.leave(), {restarts: false});
  return isLeft ? failed(failure, isLost ? run.agent : undefined) : notRunning();
}

/** Waits until the session has left its agent; false if something else was started meanwhile. */
async function leaveFor(
  context: ConversationContext,
  leaving: Promise<void>,
  {restarts}: {readonly restarts: boolean},
): Promise<boolean> {
  const phase = enterPhase(context, 'leave', {left: leaving.then(() => undefined), restarts});
  await leaving;
  return context.phase === phase;
}

interface StartOptions {
  /** True if the agent must not be shared. */
  readonly isApart?: boolean;
  /** True if temporary failures are retried. */
  readonly isReconnecting?: boolean;
}

/** True if the agent refuses a second session while one is open. */
function refusesAnother({hasJoined, others}: AgentRun, failure: Failure): boolean {
  const isRefused =
    failure.kind === 'agent_error' || (failure.kind === 'cannot_continue' && 'cause' in failure);
  return isRefused && hasJoined && others().length > 0;
}

/** Starts the agent again for this session alone. If that helps, all its later sessions get their own process, too. */
async function startApartForGood(context: ConversationContext, run: AgentRun): Promise<Result<void>> {
  const started = await startApart(context, run);
  if (!started.ok) return started;
  context.agents.keepApart(run.agent.start);
  const {agent} = context.sink.state();
  const name = agent?.title ?? agent?.name ?? context.options.agent.label;
  inform(context, `${name} does not support several sessions per process: this session has its own.`);
  return started;
}

async function startApart(context: ConversationContext, run: AgentRun): Promise<Result<void>> {
  const isLeft = await leaveFor(context, leaveAgent(context, run), {restarts: true});
  return isLeft ? start(context, {isApart: true}) : notRunning();
}

const UNDECIDED = 'what was written in its sandbox is not decided; /restart asks again';

async function launch(context: ConversationContext, isApart: boolean): Promise<Result<AgentRun>> {
  const {agent, environment, cwd, version, provider, refusal} = context.options;
  if (refusal) return fail(refusal);
  const confirmed = await confirmFolders(context);
  if (!confirmed.ok) return confirmed;
  const values = await findValues(context);
  if (context.sandbox && !(await reviewSandboxWrites(context)))
    return fail({kind: 'not_offered', cannot: 'start the agent', why: UNDECIDED});
  const opened = await context.sandbox?.renew();
  if (opened && !opened.ok) return opened;
  showSandbox(context, opened?.value.policy);
  const member = memberOf(context);
  const start = {
    agent: withValues(agent, values),
    environment,
    cwd,
    offer: offerOf(context),
    version,
    provider,
  };
  const wanted = {...start, sandbox: context.sandbox?.open};
  const joined = await context.agents.join(wanted, {member, isApart});
  if (!joined.ok) return joined;
  const {process, connection} = joined.value.agent;
  context.lastProcess = process;
  if (!context.processes.includes(process)) context.processes.push(process);
  const run: AgentRun = {
    ...joined.value,
    leave: async () => void (await Promise.all([run.endOffers?.(), joined.value.leave()])),
    process,
    connection,
    starting: true,
    sessionOpen: false,
    valuesMethod: values?.method,
  };
  void connection.closed.then((failure) => connectionEnded(context, run, failure));
  return {ok: true, value: run};
}

function offerOf({options: {agent, offer, foreground, hasUser}}: ConversationContext) {
  // The sign-in program of a remote agent does not run on this computer.
  const terminalSignIn = foreground !== undefined && agent.remote === undefined;
  const {protocolVersion} = agent;
  return {...offer, terminalSignIn, elicitation: hasUser, ...(protocolVersion && {protocolVersion})};
}

function memberOf(context: ConversationContext): AgentMember {
  const state = () => context.sink.state();
  return {
    served: context,
    deliver: (sessionId, update) => deliverUpdate(context, {sessionId, update}, context.run?.greeting),
    isSubagent: (sessionId) => isSubagent(state(), sessionId),
    subagents: () => Object.keys((state().replay ?? state()).subagents),
    signedIn({hasRestarted}) {
      const {phase} = context;
      if (phase.name !== 'sign_in_required') return;
      void (hasRestarted ? context.restart() : continueAfterSignIn(context, phase.run));
    },
    signedOut: (how) => handleSignOutElsewhere(context, how),
  };
}

async function initializeAndOpen(context: ConversationContext, run: AgentRun): Promise<Result<void>> {
  const {options, sink} = context;
  const {agent} = run;
  const phase = enterPhase(context, 'launched', {run});
  if (!phase) return notRunning();
  const starting = {kind: 'starting', step: 'initializing', since: Date.now()} as const;
  const stopFollowing = followOutput(run, (output) => emitConnectionChanged(context, {...starting, output}));
  const initialized = await awaitResponse(phase, {
    method: 'initialize',
    ask: () => limitInitialize(agent.initialized, options.startSeconds),
  });
  stopFollowing();
  if (!initialized.ok) return fail(withOutput(context, run, initialized.failure));
  const {agentInfo, authMethods} = initialized.value;
  const response = {...initialized.value, authMethods: withKnownVariables(authMethods, agentInfo?.name)};
  sink.emit({type: 'agent_initialized', response, fallbackName: options.agent.label, at: Date.now()});
  if (run.hasJoined && quirksOf(agentInfo?.name).ownProcess) return startApart(context, run);
  void readAuthStatus(context, run);
  // Another session may be signing in to the agent right now.
  await agent.signingIn;
  if (context.phase !== phase) return notRunning();
  const {authMethod} = options;
  return authMethod === undefined || agent.signedInWith.has(authMethod)
    ? openWithValues(context, run)
    : signIn(context, authMethod);
}

/** Some agents use sign-in values from their environment only after `authenticate`. */
async function openWithValues(context: ConversationContext, run: AgentRun): Promise<Result<void>> {
  const {valuesMethod} = run;
  const opened = await openSession(context, run);
  const isAsked = !opened.ok && opened.failure.kind === 'authentication_required';
  const method = context.sink.state().agent?.authMethods.find(({id}) => id === valuesMethod);
  return isAsked && method ? signInByAgent(context, run, method) : opened;
}

/** Handles the end of the connection. While `start` is waiting, `start` reports the reason. */
async function connectionEnded(
  context: ConversationContext,
  run: AgentRun,
  failure: Failure | undefined,
): Promise<void> {
  if (!isCurrent(context, run) || run.starting) return;
  const exit = await settledWithin(run.process.exited, 1000);
  if (!isCurrent(context, run)) return;
  context.host.cancelPending();
  const problem = failure?.kind === 'connection_lost' ? failure.problem : undefined;
  const reconnects = run.process.lost !== undefined && context.options.hasUser && run.sessionOpen;
  const lost: Failure =
    lossReason(run, reconnects) ??
    (failure === undefined || failure.kind === 'connection_lost'
      ? {
          kind: 'connection_lost',
          exit,
          stderrTail: run.process.stderrTail(),
          ...(problem !== undefined && {problem}),
        }
      : failure);
  endOpenTurn(context, lost);
  const {agent} = run;
  const reportedElsewhere = agent.lost.size > 0;
  enterPhase(context, 'lose', {failure: lost, reportedElsewhere, agent: reconnects ? undefined : agent});
  if (reconnects) {
    agent.lost.set(context, () => {});
    void reconnect(context, lost, {run, connect: () => start(context, {isReconnecting: true})});
  } else rememberLoss(context, run);
  await Promise.all([run.leave(), context.host.terminals.closeAll()]);
}

/** Remembers how to restart this session: restarting one session restarts all that were lost with the agent. */
function rememberLoss(context: ConversationContext, {agent}: AgentRun): void {
  agent.lost.set(context, () => void context.restart());
}

/** Returns why the connection to a remote agent ended. */
function lossReason({process}: AgentRun, reconnects: boolean): Failure | undefined {
  const failure = process.lost?.();
  return failure?.kind === 'connection_lost' && reconnects ? {...failure, reconnects} : failure;
}

/** How often the output of an agent that does not answer is read, in milliseconds. */
const OUTPUT_MS = 1000;

/** Reports the end of the agent's stderr whenever it has changed: an agent that waits for a sign-in says so there. */
function followOutput({process}: AgentRun, report: (output: string) => void): () => void {
  let reported: string | undefined;
  const timer = setInterval(() => {
    const output = stderrSummary(process.stderrTail());
    if (output === undefined || output === reported) return;
    reported = output;
    report(output);
  }, OUTPUT_MS);
  return () => clearInterval(timer);
}

/** A program that printed something else and then fell silent does not speak ACP. */
function withOutput({options}: ConversationContext, run: AgentRun, failure: Failure): Failure {
  if (failure.kind !== 'no_answer') return failure;
  if (options.agent.remote) return {...failure, isRemote: true};
  const sample = run.connection.nonProtocolOutput();
  return sample === undefined
    ? {...failure, stderrTail: run.process.stderrTail()}
    : {kind: 'not_acp', command: options.agent.label, sample};
}

async function withExit(context: ConversationContext, run: AgentRun, failure: Failure): Promise<Failure> {
  if (failure.kind !== 'connection_lost') return failure;
  const exit = await settledWithin(run.process.exited, 1000);
  if (!exit) return run.process.lost?.() ?? failure;
  const command = context.options.agent.label;
  const hasInitialized = context.sink.state().agent !== undefined;
  return {kind: 'exited_early', command, exit, stderrTail: run.process.stderrTail(), hasInitialized};
}

/** Names what a sandbox refused, if that may be why the agent could not be started. */
async function withRefusal(
  {sandbox, options}: ConversationContext,
  run: AgentRun,
  failure: Failure,
): Promise<Failure> {
  const opened = await sandbox?.current();
  return opened?.explained(failure, {...options, stderr: run.process.stderrTail()}) ?? failure;
}
