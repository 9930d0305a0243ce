import {isIdle} from '../../session/selectors.ts';
import {offerFor} from '../offers.ts';
import {openPicker} from '../picker.ts';
import {signInPicker} from '../sign-in.ts';
import type {Command} from './command.ts';

export const login: Command = {
  name: 'login',
  description: 'Sign in, or with another account',
  unavailable({session}) {
    const {connection, agent} = session;
    if (connection.kind === 'authentication_required') return undefined;
    if (!agent || connection.kind === 'starting') return 'The agent is not there yet; try again in a moment.';
    if (agent.authMethods.length === 0) return 'The agent offers no way to sign in.';
    return isIdle(session) ? undefined : 'The turn still runs; Esc cancels it.';
  },
  run({open}) {
    const isWanted = open.session.connection.kind === 'authentication_required';
    const asked = isWanted ? offerFor(open) : undefined;
    return openPicker(asked ?? signInPicker(open, {title: 'Sign in', byUser: true}));
  },
};
