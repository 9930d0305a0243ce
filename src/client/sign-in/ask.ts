import {failureSentence} from '../../errors.ts';
import type {Failure, Result} from '../../failure.ts';
import type {ConnectionState} from '../../session/state.ts';
import {connectionChanged, type ClientContext} from '../context.ts';

/** Shows the sign-in methods; the session goes on once one was used. */
export function askToSignIn(
  context: ClientContext,
  {methods, problem}: Extract<Failure, {kind: 'authentication_required'}>,
): void {
  connectionChanged(context, {
    kind: 'authentication_required',
    methods,
    ...(problem !== undefined && {problem}),
  });
}

/**
 * A sign-in did not succeed: where it was asked for, it is asked for again, with the reason. A session that was open before, in
 * which the user only wanted another account, goes on as it was.
 */
export function notSignedIn(
  context: ClientContext,
  before: ConnectionState,
  cause: Failure,
): Result<never> & {ok: false} {
  if (before.kind === 'ready') {
    connectionChanged(context, before);
    return {ok: false, failure: cause};
  }
  const problem = cause.kind === 'authentication_required' ? cause.problem : failureSentence(cause);
  const methods = context.link.state().agent?.authMethods ?? [];
  const failure = {
    kind: 'authentication_required' as const,
    methods,
    ...(problem !== undefined && {problem}),
  };
  askToSignIn(context, failure);
  return {ok: false, failure};
}
