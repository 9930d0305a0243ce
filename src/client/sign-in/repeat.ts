import {failureSentence} from '../../shared/failure-messages.ts';
import type {Result} from '../../shared/failure.ts';
import type {ClientContext} from '../context.ts';
import {warn} from '../open-session.ts';
import {askToSignIn} from './ask.ts';

/** Does something that needs a session; where a sign-in is missing, that is asked for, and it is done again after it, once. */
export async function orSignIn<T>(
  context: ClientContext,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const done = await work();
  if (done.ok || done.failure.kind !== 'authentication_required') return done;
  context.afterSignIn = work;
  return askToSignIn(context, done.failure);
}

/** The user is signed in and the session is open: what had failed is done again. */
export async function repeatFailed(context: ClientContext): Promise<void> {
  const {afterSignIn} = context;
  context.afterSignIn = undefined;
  const done = await afterSignIn?.();
  if (!done || done.ok) return;
  if (done.failure.kind === 'authentication_required') askToSignIn(context, done.failure);
  else warn(context, failureSentence(done.failure));
}
