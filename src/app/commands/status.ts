import {fold} from '../effects.ts';
import {statusOverlay} from '../status-page.ts';
import type {Command} from './command.ts';

export const status: Command = {
  name: 'status',
  aliases: ['cost', 'context', 'usage'],
  description: 'Agent, session, settings and usage',
  run: ({open}) => fold({type: 'overlay_opened', overlay: statusOverlay(open)}),
};
