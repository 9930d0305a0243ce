import {fold, together} from '../effects.ts';
import {hint} from '../hints.ts';
import {themes} from '../themes.ts';
import {choiceMeant, unknownChoice, type Command} from './command.ts';

const choices = themes.map(({name}) => ({id: name, name}));

export const theme: Command = {
  name: 'theme',
  argument: '<name>',
  description: 'Colours of this window',
  complete: (_, argument) => ({before: '', typed: argument, choices}),
  run(call) {
    const meant = choiceMeant(choices, call.argument);
    if (!meant) return unknownChoice('theme', choices, call);
    const said = `Theme: ${meant.id}. "theme": "${meant.id}" in the settings makes it the default.`;
    return together(fold({type: 'theme_changed', theme: meant.id}), hint(said, call.at));
  },
};
