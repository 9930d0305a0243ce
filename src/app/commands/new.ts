import {perform} from '../effects.ts';
import {notReady, type Command} from './command.ts';

export const newSession: Command = {
  name: 'new',
  aliases: ['clear'],
  description: 'A new session with the same agent',
  unavailable: notReady,
  run: ({open}) => perform({kind: 'open_session', key: open.key, opening: {kind: 'new'}}),
};
