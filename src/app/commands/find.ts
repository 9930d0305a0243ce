import {perform} from '../effects.ts';
import {hint} from '../hints.ts';
import type {Command} from './command.ts';

export const find: Command = {
  name: 'find',
  argument: '<words>',
  description: 'Find what was said in all sessions',
  run: ({argument, at}) =>
    argument === ''
      ? hint('Say what to find: /find race condition, or /find "these words together".', at)
      : perform({kind: 'find_passages', query: argument}),
};
