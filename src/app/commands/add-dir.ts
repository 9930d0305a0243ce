import {perform} from '../effects.ts';
import {hint} from '../hints.ts';
import {notReady, type Command} from './command.ts';

export const addDir: Command = {
  name: 'add-dir',
  argument: '<folder>',
  description: 'One more folder that the agent may use; @ finds it',
  unavailable(open) {
    const problem = notReady(open);
    if (problem !== undefined) return problem;
    return open.session.turn.kind === 'idle' ? undefined : 'The turn still runs; Esc cancels it.';
  },
  run({open, argument, at}) {
    // As it is completed with @, and as a shell would quote it.
    const path = argument.replace(/^@/, '').replace(/^(["'])(.*)\1$/su, '$2');
    return path === ''
      ? hint('Say which folder: /add-dir ../other-project', at)
      : perform({kind: 'add_directory', key: open.key, path});
  },
};
