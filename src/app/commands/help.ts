import {fold} from '../effects.ts';
import {helpOverlay} from '../pages.ts';
import type {Command} from './command.ts';

export const help: Command = {
  name: 'help',
  description: 'Keys and commands',
  run: () => fold({type: 'overlay_opened', overlay: helpOverlay}),
};
