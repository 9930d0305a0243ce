import type {Result} from '../../shared/failure.ts';
import type {AuthMethod} from '../../session/auth-methods.ts';
import {connectionChanged, isCurrent, type ClientContext, type Life} from '../context.ts';
import {leavesNoSession, openSession} from '../open-session.ts';
import {notSignedIn} from './ask.ts';
import {repeatFailed} from './repeat.ts';
import {readAuthStatus} from './status.ts';

/** `authenticate`, which the agent answers when the user has done in a browser or elsewhere what it takes; can be given up. */
export async function signInByAgent(
  context: ClientContext,
  life: Life,
  {id, name}: Pick<AuthMethod, 'id' | 'name'>,
): Promise<Result<void>> {
  const before = context.link.state().connection;
  connectionChanged(context, {kind: 'starting', step: 'authenticating', since: Date.now()});
  const withdrawal = new AbortController();
  context.giveUp = () => {
    // What the agent asks meanwhile belongs to it.
    context.host.cancelPending();
    withdrawal.abort();
  };
  const done = await life.connection.authenticate(id, withdrawal.signal);
  context.giveUp = undefined;
  if (!isCurrent(context, life)) return done;
  if (withdrawal.signal.aborted)
    return notSignedIn(context, before, {
      kind: 'sign_in_failed',
      method: name,
      problem: 'it was cancelled',
    });
  return done.ok ? goOn(context, life) : notSignedIn(context, before, done.failure);
}

/** The user is signed in: what is open goes on, or what was to be opened is. */
export async function goOn(context: ClientContext, life: Life): Promise<Result<void>> {
  const opened: Result<void> = life.sessionOpen
    ? {ok: true, value: undefined}
    : await openSession(context, life);
  if (!isCurrent(context, life)) return opened;
  void readAuthStatus(context, life);
  if (opened.ok) {
    connectionChanged(context, {kind: 'ready'});
    await repeatFailed(context);
    return opened;
  }
  const {failure} = opened;
  if (!leavesNoSession(failure)) return notSignedIn(context, context.link.state().connection, failure);
  connectionChanged(context, {kind: 'no_session', failure});
  return opened;
}
