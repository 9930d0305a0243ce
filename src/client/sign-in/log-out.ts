import type {Result} from '../../failure.ts';
import {authStatusWords, canLogOut} from '../../session/auth-status.ts';
import {isCurrent, notRunning, type ClientContext} from '../context.ts';
import {readAuthStatus} from './status.ts';

/**
 * "Logging Out". What becomes of the session that is open is the agent's to decide: it goes on here, and is told of as soon as the
 * agent wants a sign-in for it.
 */
export async function logOut(context: ClientContext): Promise<Result<void>> {
  const {life, link} = context;
  if (!life) return notRunning();
  if (!canLogOut(link.state().agent?.capabilities)) {
    const why = 'this agent offers no way to do it';
    return {ok: false, failure: {kind: 'not_offered', what: 'signing out', why}};
  }
  const done = await life.connection.logout();
  if (!done.ok || !isCurrent(context, life)) return done;
  await readAuthStatus(context, life);
  const status = authStatusWords(link.state().agent?.authStatus);
  const told = status === undefined ? '' : ` The agent says: ${status}.`;
  const text = `Signed out.${told} What becomes of this session is up to the agent; it may want a sign-in to go on.`;
  link.emit({type: 'notice', level: 'info', text, at: Date.now()});
  return done;
}
