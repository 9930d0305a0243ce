import {tellsAuthStatus} from '../../session/auth-status.ts';
import {isCurrent, type ClientContext, type Life} from '../context.ts';

/** Asks an agent that can tell how the user is signed in, and notes it; never fails. */
export async function readAuthStatus(context: ClientContext, life: Life): Promise<void> {
  const {link} = context;
  if (!tellsAuthStatus(link.state().agent?.capabilities)) return;
  const told = await life.connection.authStatus();
  if (told.ok && isCurrent(context, life))
    link.emit({type: 'auth_status_told', status: told.value, at: Date.now()});
}
