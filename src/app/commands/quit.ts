import {perform} from '../effects.ts';
import type {Command} from './command.ts';

export const quit: Command = {
  name: 'quit',
  aliases: ['exit', 'q'],
  description: 'Leave; what is not sent is kept',
  run: () => perform({kind: 'quit'}),
};
