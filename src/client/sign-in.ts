import type {AuthMethod} from '@agentclientprotocol/sdk/unstable';
import {failureSentence} from '../errors.ts';
import type {Failure, Result} from '../failure.ts';
import {connectionChanged, isCurrent, notRunning, type ClientContext} from './context.ts';
import {leavesNoSession, openSession} from './open-session.ts';
import {askToSignIn} from './turns.ts';

/**
 * `authenticate` with a method of kind `agent` ("Authentication"), then the session, unless one is open that only needed the
 * sign-in. A refused sign-in asks again, with the reason.
 */
export async function authenticate(context: ClientContext, methodId: string): Promise<Result<void>> {
  const {life, link} = context;
  const methods = link.state().agent?.authMethods ?? [];
  const problem = problemWith(methods, methodId);
  if (problem) return {ok: false, failure: problem};
  if (!life) return notRunning();
  connectionChanged(context, {kind: 'starting', step: 'authenticating', since: Date.now()});
  const done = await life.connection.authenticate(methodId);
  if (!isCurrent(context, life)) return done;
  if (!done.ok) return ask(context, methods, done.failure);
  if (life.sessionOpen) {
    connectionChanged(context, {kind: 'ready'});
    return done;
  }
  const opened = await openSession(context, life);
  if (opened.ok || !isCurrent(context, life)) return opened;
  if (!leavesNoSession(opened.failure)) return ask(context, methods, opened.failure);
  connectionChanged(context, {kind: 'no_session', failure: opened.failure});
  return opened;
}

function ask(context: ClientContext, methods: readonly AuthMethod[], cause: Failure): Result<void> {
  const problem = cause.kind === 'authentication_required' ? cause.problem : failureSentence(cause);
  const failure = {
    kind: 'authentication_required' as const,
    methods,
    ...(problem !== undefined && {problem}),
  };
  askToSignIn(context, failure);
  return {ok: false, failure};
}

/** Only methods that the agent runs itself can be sent to it; a terminal login must never be. */
function problemWith(methods: readonly AuthMethod[], methodId: string): Failure | undefined {
  const method = methods.find((candidate) => candidate.id === methodId);
  if (!method) {
    const valid = methods.map((candidate) => candidate.id);
    return {kind: 'unknown_value', what: 'sign-in method', value: methodId, valid};
  }
  const kind = ('type' in method ? method.type : undefined) ?? 'agent';
  if ((kind as string) === 'agent') return undefined;
  const why = `it is of kind "${kind}", and this version can only use methods that the agent runs itself`;
  return {kind: 'not_offered', what: `sign-in with "${method.name}"`, why};
}
