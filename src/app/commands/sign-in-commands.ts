import {canLogOut} from '../../session/lifecycle/authentication.ts';
import {isIdle} from '../../session/selectors.ts';
import {call} from '../effects.ts';
import {openPicker} from '../pickers/picker.ts';
import {recoveryFor} from '../recovery/recovery-menu.ts';
import {signInPicker} from '../recovery/sign-in.ts';
import type {Command} from './command.ts';

export const login: Command = {
  name: 'login',
  description: 'Sign in, or switch accounts',
  unavailable({session}) {
    const {connection, agent} = session;
    if (connection.kind === 'authentication_required') return undefined;
    if (!agent || connection.kind === 'starting')
      return 'The agent is still starting; try again in a moment.';
    if (agent.authMethods.length === 0) return 'This agent has no sign-in methods.';
    return isIdle(session) ? undefined : 'A turn is running; Esc cancels it.';
  },
  run({open}) {
    const isWanted = open.session.connection.kind === 'authentication_required';
    const asked = isWanted ? recoveryFor(open) : undefined;
    return openPicker(asked ?? signInPicker(open, {title: 'Sign in', byUser: true}));
  },
};

export const logout: Command = {
  name: 'logout',
  description: 'Sign out of the agent',
  unavailable({session}) {
    if (!session.agent) return 'The agent is still starting; try again in a moment.';
    const {capabilities, authMethods} = session.agent;
    const takesValues = authMethods.some((method) => 'type' in method && method.type === 'env_var');
    if (!canLogOut(capabilities) && !takesValues) return 'This agent does not support signing out.';
    return isIdle(session) ? undefined : 'A turn is running; Esc cancels it.';
  },
  run: ({open: {key}}) => call(key, 'logOut'),
};
