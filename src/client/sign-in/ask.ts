import {failureSentence} from '../../shared/failure-messages.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import type {ConnectionState} from '../../session/state.ts';
import {connectionChanged, type ClientContext} from '../context.ts';

type SignInMissing = Extract<Failure, {kind: 'authentication_required'}>;

/** Shows the sign-in methods, as they are known here; the session goes on once one was used. */
export function askToSignIn(
  context: ClientContext,
  {problem}: Pick<SignInMissing, 'problem'>,
): Result<never> & {readonly ok: false} {
  const methods = context.link.state().agent?.authMethods ?? [];
  const missing = {
    kind: 'authentication_required' as const,
    methods,
    ...(problem !== undefined && {problem}),
  };
  connectionChanged(context, missing);
  return {ok: false, failure: missing};
}

/**
 * A sign-in did not succeed: where it was asked for, it is asked for again, with the reason. Where the user only wanted another
 * account, everything goes on as it was.
 */
export function notSignedIn(context: ClientContext, before: ConnectionState, cause: Failure): Result<never> {
  if (isFree(before)) {
    connectionChanged(context, before);
    return {ok: false, failure: cause};
  }
  const isMissing = cause.kind === 'authentication_required';
  return askToSignIn(context, isMissing ? cause : {problem: failureSentence(cause)});
}

/** True where nothing waits for a sign-in. */
export function isFree({kind}: ConnectionState): boolean {
  return kind === 'ready' || kind === 'no_session';
}

/** The user does not sign in now: where a sign-in is missing, the methods are shown again. */
export function putOff(context: ClientContext, before: ConnectionState): Result<void> {
  if (isFree(before)) return {ok: true, value: undefined};
  return askToSignIn(context, before.kind === 'authentication_required' ? before : {});
}
