import {isIdle} from '../../session/selectors.ts';
import {perform} from '../effects.ts';
import type {Command} from './command.ts';

export const undo: Command = {
  name: 'undo',
  description: 'Take back what the last turn wrote',
  unavailable: ({session, sending}) =>
    isIdle(session) && !sending ? undefined : 'The turn still runs; Esc cancels it.',
  run: ({open}) => perform({kind: 'plan_undo', key: open.key}),
};
