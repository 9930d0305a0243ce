import {nothing} from '../effects.ts';
import {offerFor} from '../offers.ts';
import {openPicker} from '../picker.ts';
import type {Command} from './command.ts';

export const login: Command = {
  name: 'login',
  description: 'Sign in, when the agent asks for it',
  unavailable: ({session}) =>
    session.connection.kind === 'authentication_required' ? undefined : 'The agent does not ask for it.',
  run({open}) {
    const picker = offerFor(open.session);
    return picker ? openPicker(picker) : nothing;
  },
};
