import {fold} from '../effects.ts';
import {planOverlay} from '../pages.ts';
import type {Command} from './command.ts';

export const plan: Command = {
  name: 'plan',
  description: 'The plan of the agent',
  run: ({open}) => fold({type: 'overlay_opened', overlay: planOverlay(open.session)}),
};
