import {perform} from '../effects.ts';
import {textToCopy} from '../copying.ts';
import {hint} from '../hints.ts';
import type {Command} from './command.ts';

export const copy: Command = {
  name: 'copy',
  argument: '[n|code]',
  description: 'Copy the last answer or code block',
  complete: (_, typed) => ({
    before: '',
    typed,
    choices: [{id: 'code', name: 'code', description: 'The last code block; code 2 is the one before it.'}],
  }),
  run({open, argument, at}) {
    const found = textToCopy(open.session, argument);
    if (found.kind === 'problem') return hint(found.problem, at);
    const {text, what} = found;
    return perform({kind: 'copy', text, what});
  },
};
