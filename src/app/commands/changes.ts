import {perform} from '../effects.ts';
import type {Command} from './command.ts';

export const changes: Command = {
  name: 'changes',
  aliases: ['diff'],
  description: 'The files that were changed, with their diffs',
  run: ({open}) => perform({kind: 'show_changes', key: open.key}),
};
