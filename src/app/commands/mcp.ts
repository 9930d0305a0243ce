import {perform} from '../effects.ts';
import type {Command} from './command.ts';

export const mcp: Command = {
  name: 'mcp',
  description: 'MCP servers: which the agent gets, and why not',
  run: ({open}) => perform({kind: 'show_mcp', key: open.key}),
};
