import {perform} from '../effects.ts';
import type {Command} from './command.ts';

export const log: Command = {
  name: 'log',
  description: 'What the agent wrote on stderr',
  run: ({open}) => perform({kind: 'show_log', key: open.key}),
};
