import {type AuthMethod, supportsAuthStatus} from '../../shared/authentication.ts';
import {quoteAgentText} from '../../shared/agent-text.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {DONE, fail, type Failure, type Result} from '../../shared/failure.ts';
import {keepsAgentRunning, openSession, endSupersededStart} from '../connection/open-session.ts';
import type {AgentRun, Phase, PhaseOf} from '../connection/phases.ts';
import {
  enterPhase,
  returnToPreviousPhase,
  isCurrent,
  notRunning,
  warn,
  type ConversationContext,
} from '../context.ts';

/** Calls `authenticate`, to which the agent responds when the user has finished in a browser or elsewhere; can be cancelled. */
export async function signInByAgent(
  context: ConversationContext,
  run: AgentRun,
  {id, name}: Pick<AuthMethod, 'id' | 'name'>,
): Promise<Result<void>> {
  const phase = enterPhase(context, 'sign_in', {});
  if (!phase) return notRunning();
  const {signal} = phase.ended;
  // Requests during the sign-in belong to it.
  const cancelPending = () => context.host.cancelPending();
  signal.addEventListener('abort', cancelPending);
  const {agent} = run;
  const signingIn = run.connection.authenticate(id, signal);
  agent.signingIn = signingIn;
  const done = await signingIn;
  signal.removeEventListener('abort', cancelPending);
  if (agent.signingIn === signingIn) agent.signingIn = undefined;
  if (done.ok) agent.signedInWith.add(id);
  if (context.phase !== phase) return endSupersededStart(run, done);
  const cancelled: Failure = {kind: 'sign_in_failed', method: name, problem: 'it was cancelled'};
  if (signal.aborted) return afterFailedSignIn(context, phase, cancelled);
  if (!done.ok) return afterFailedSignIn(context, phase, done.failure);
  context.signedInWith = name;
  for (const other of run.others()) other.signedIn({hasRestarted: false});
  return continueAfterSignIn(context, run);
}

/** Agents read some credentials only on start: restarts the agent, also for other sessions that wait for a sign-in. */
export async function restartSignedIn(context: ConversationContext): Promise<Result<void>> {
  const {agents, options} = context;
  const others = agents.sessionsOf(options.agent).filter(({served}) => served !== context);
  const started = await context.restart();
  if (started.ok) for (const other of others) other.signedIn({hasRestarted: true});
  return started;
}

/** After a sign-in: continues the open session, or opens the requested one. */
export async function continueAfterSignIn(
  context: ConversationContext,
  run: AgentRun,
): Promise<Result<void>> {
  const opened: Result<void> = run.sessionOpen ? DONE : await openSession(context, run);
  if (!isCurrent(context, run)) return opened;
  void readAuthStatus(context, run);
  if (opened.ok) {
    if (run.sessionOpen && context.phase.name !== 'ready') enterPhase(context, 'opened', {});
    await retryFailedAction(context);
    return opened;
  }
  const {failure} = opened;
  if (!keepsAgentRunning(failure)) return askAgain(context, failure);
  enterPhase(context, 'not_opened', {failure});
  return opened;
}

/** Shows the known sign-in methods; the session continues after a sign-in. */
export function askToSignIn(
  context: ConversationContext,
  {problem = askedAgain(context)}: {readonly problem?: string | undefined},
): Result<never> & {readonly ok: false} {
  const methods = context.sink.state().agent?.authMethods ?? [];
  enterPhase(context, 'require_sign_in', {methods, problem});
  return fail({kind: 'authentication_required', methods, ...(problem !== undefined && {problem})});
}

/** Without a message the list would look as if the selection had been ignored. */
function askedAgain({signedInWith}: ConversationContext): string | undefined {
  if (signedInWith === undefined) return undefined;
  return `Sign-in with "${quoteAgentText(signedInWith)}" succeeded, but the agent asks for it again.`;
}

/**
 * After a failed sign-in: shows the methods again with the reason if a sign-in is required. If the user only wanted another account, the session continues
 * unchanged.
 */
export function afterFailedSignIn(
  context: ConversationContext,
  phase: PhaseOf<'signing_in'>,
  cause: Failure,
): Result<never> {
  if (!phase.back || !isFree(phase.back)) return askAgain(context, cause);
  returnToPreviousPhase(context, phase, cause);
  return fail(cause);
}

function askAgain(context: ConversationContext, cause: Failure): Result<never> {
  const isMissing = cause.kind === 'authentication_required';
  return askToSignIn(context, isMissing ? cause : {problem: failureSentence(cause)});
}

/** True if nothing waits for a sign-in. */
function isFree({name}: Phase): boolean {
  return name === 'ready' || name === 'no_session';
}

/** The user postpones the sign-in: if it is required, the methods are shown again. */
export function deferSignIn(context: ConversationContext): Result<void> {
  const {phase} = context;
  if (isFree(phase)) return DONE;
  return askToSignIn(context, {problem: phase.name === 'sign_in_required' ? phase.problem : undefined});
}

/** Runs an action that needs a session; if a sign-in is required, asks for it and retries the action once. */
export async function withSignIn<T>(
  context: ConversationContext,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const done = await work();
  if (done.ok || done.failure.kind !== 'authentication_required') return done;
  context.afterSignIn = work;
  return askToSignIn(context, done.failure);
}

/** Retries the failed action once the user is signed in and the session is open. */
export async function retryFailedAction(context: ConversationContext): Promise<void> {
  const {afterSignIn} = context;
  context.afterSignIn = undefined;
  const done = await afterSignIn?.();
  if (!done || done.ok) return;
  if (done.failure.kind === 'authentication_required') askToSignIn(context, done.failure);
  else warn(context, failureSentence(done.failure));
}

/** Updates the sign-in status if the agent reports it; never fails. */
export async function readAuthStatus(context: ConversationContext, run: AgentRun): Promise<void> {
  const {sink} = context;
  if (!supportsAuthStatus(sink.state().agent?.capabilities)) return;
  const status = await run.connection.authStatus();
  if (status.ok && isCurrent(context, run))
    sink.emit({type: 'auth_status_reported', status: status.value, at: Date.now()});
}
