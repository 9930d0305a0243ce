import {canLogOut} from '../../session/auth-status.ts';
import {isIdle} from '../../session/selectors.ts';
import {perform} from '../effects.ts';
import type {Command} from './command.ts';

export const logout: Command = {
  name: 'logout',
  description: 'Sign out of the agent',
  unavailable({session}) {
    if (!session.agent) return 'The agent is not there yet; try again in a moment.';
    const {capabilities, authMethods} = session.agent;
    const takesValues = authMethods.some((method) => 'type' in method && method.type === 'env_var');
    if (!canLogOut(capabilities) && !takesValues) return 'This agent offers no way to sign out.';
    return isIdle(session) ? undefined : 'The turn still runs; Esc cancels it.';
  },
  run: ({open: {key}}) => perform({kind: 'log_out', key}),
};
