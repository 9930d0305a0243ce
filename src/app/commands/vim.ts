import {fold, together} from '../effects.ts';
import {hint} from '../hints.ts';
import type {Command} from './command.ts';

export const vim: Command = {
  name: 'vim',
  description: 'Vim’s keys in the prompt of this window, on or off',
  run({state, at}) {
    const editing = state.editing === 'vim' ? 'readline' : 'vim';
    const said =
      editing === 'vim'
        ? 'Vim’s keys are on in this window; "editing": "vim" in the settings turns them on for good.'
        : 'Vim’s keys are off in this window.';
    return together(fold({type: 'editing_changed', editing}), hint(said, at));
  },
};
