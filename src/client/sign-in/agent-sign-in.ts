import {type AuthMethod, supportsAuthStatus} from '../../session/lifecycle/authentication.ts';
import type {ConnectionState} from '../../session/state.ts';
import {quoted} from '../../shared/agent-text.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Result, Failure} from '../../shared/failure.ts';
import {keepsAgentRunning, openSession} from '../connection/open-session.ts';
import {connectionChanged, isCurrent, warn, type ClientContext, type AgentRun} from '../context.ts';
import type {ClientOptions} from '../options.ts';

/** Calls `authenticate`, to which the agent responds when the user has finished in a browser or elsewhere; can be cancelled. */
export async function signInByAgent(
  context: ClientContext,
  run: AgentRun,
  {id, name}: Pick<AuthMethod, 'id' | 'name'>,
): Promise<Result<void>> {
  const before = context.sink.state().connection;
  connectionChanged(context, {kind: 'starting', step: 'authenticating', since: Date.now()});
  const withdrawal = new AbortController();
  context.giveUp = () => {
    // Requests during the sign-in belong to it.
    context.host.cancelPending();
    withdrawal.abort();
  };
  const {agent} = run;
  const signingIn = run.connection.authenticate(id, withdrawal.signal);
  agent.signingIn = signingIn;
  const done = await signingIn;
  if (agent.signingIn === signingIn) agent.signingIn = undefined;
  if (done.ok) agent.signedInWith.add(id);
  context.giveUp = undefined;
  if (!isCurrent(context, run)) return done;
  if (withdrawal.signal.aborted)
    return notSignedIn(context, before, {
      kind: 'sign_in_failed',
      method: name,
      problem: 'it was cancelled',
    });
  if (!done.ok) return notSignedIn(context, before, done.failure);
  context.signedInWith = name;
  for (const other of run.others()) other.signedIn({hasRestarted: false});
  return continueAfterSignIn(context, run);
}

/** Agents read some credentials only on start: restarts the agent, also for other sessions that wait for a sign-in. */
export async function restartSignedIn(context: ClientContext): Promise<Result<void>> {
  const {agents, options} = context;
  const others = agents.sessionsOf(options.agent).filter(({served}) => served !== context);
  const started = await context.restart();
  if (started.ok) for (const other of others) other.signedIn({hasRestarted: true});
  return started;
}

/** After a sign-in: continues the open session, or opens the requested one. */
export async function continueAfterSignIn(context: ClientContext, run: AgentRun): Promise<Result<void>> {
  const opened: Result<void> = run.sessionOpen
    ? {ok: true, value: undefined}
    : await openSession(context, run);
  if (!isCurrent(context, run)) return opened;
  void readAuthStatus(context, run);
  if (opened.ok) {
    connectionChanged(context, {kind: 'ready'});
    await retryFailed(context);
    return opened;
  }
  const {failure} = opened;
  if (!keepsAgentRunning(failure)) return notSignedIn(context, context.sink.state().connection, failure);
  connectionChanged(context, {kind: 'no_session', failure});
  return opened;
}

type SignInMissing = Extract<Failure, {kind: 'authentication_required'}>;

/** Shows the known sign-in methods; the session continues after a sign-in. */
export function askToSignIn(
  context: ClientContext,
  {problem = askedAgain(context)}: Pick<SignInMissing, 'problem'>,
): Result<never> & {readonly ok: false} {
  const methods = context.sink.state().agent?.authMethods ?? [];
  const missing = {
    kind: 'authentication_required' as const,
    methods,
    ...(problem !== undefined && {problem}),
  };
  connectionChanged(context, missing);
  return {ok: false, failure: missing};
}

/** Without a message the list would look as if the selection had been ignored. */
function askedAgain({signedInWith}: ClientContext): string | undefined {
  if (signedInWith === undefined) return undefined;
  return `Sign-in with "${quoted(signedInWith)}" succeeded, but the agent asks for it again.`;
}

/**
 * After a failed sign-in: shows the methods again with the reason if a sign-in is required. If the user only wanted another account, the session continues
 * unchanged.
 */
export function notSignedIn(context: ClientContext, before: ConnectionState, cause: Failure): Result<never> {
  if (isFree(before)) {
    connectionChanged(context, before);
    return {ok: false, failure: cause};
  }
  const isMissing = cause.kind === 'authentication_required';
  return askToSignIn(context, isMissing ? cause : {problem: failureSentence(cause)});
}

/** True if nothing waits for a sign-in. */
function isFree({kind}: ConnectionState): boolean {
  return kind === 'ready' || kind === 'no_session';
}

/** The user postpones the sign-in: if it is required, the methods are shown again. */
export function deferSignIn(context: ClientContext, before: ConnectionState): Result<void> {
  if (isFree(before)) return {ok: true, value: undefined};
  return askToSignIn(context, before.kind === 'authentication_required' ? before : {});
}

/** Runs an action that needs a session; if a sign-in is required, asks for it and retries the action once. */
export async function withSignIn<T>(
  context: ClientContext,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const done = await work();
  if (done.ok || done.failure.kind !== 'authentication_required') return done;
  context.afterSignIn = work;
  return askToSignIn(context, done.failure);
}

/** Retries the failed action once the user is signed in and the session is open. */
export async function retryFailed(context: ClientContext): Promise<void> {
  const {afterSignIn} = context;
  context.afterSignIn = undefined;
  const done = await afterSignIn?.();
  if (!done || done.ok) return;
  if (done.failure.kind === 'authentication_required') askToSignIn(context, done.failure);
  else warn(context, failureSentence(done.failure));
}

/** Updates the sign-in status if the agent reports it; never fails. */
export async function readAuthStatus(context: ClientContext, run: AgentRun): Promise<void> {
  const {sink} = context;
  if (!supportsAuthStatus(sink.state().agent?.capabilities)) return;
  const status = await run.connection.authStatus();
  if (status.ok && isCurrent(context, run))
    sink.emit({type: 'auth_status_reported', status: status.value, at: Date.now()});
}

/** Returns the options without a sign-in method to use at each start. */
export function withoutMethod(options: ClientOptions): ClientOptions {
  const {authMethod, ...others} = options;
  return authMethod === undefined ? options : others;
}
