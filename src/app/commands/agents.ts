import {showAgents} from '../agent-picker.ts';
import type {Command} from './command.ts';

export const agents: Command = {
  name: 'agents',
  argument: '[words]',
  description: 'A session with another agent, beside this one',
  run: ({argument}) => showAgents({filter: argument}),
};
