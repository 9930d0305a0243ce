import type {AgentCommand} from './agent-command.ts';

/**
 * Whether `before`, how an agent was started once, is the agent of `now`. A name means the same agent however it is started
 * today; what a command line is called is only the end of a path, which different agents may share.
 */
export function isSameAgent(before: Omit<AgentCommand, 'env'>, now: AgentCommand): boolean {
  return before.label === now.label && (now.byName === true || lineOf(before) === lineOf(now));
}

function lineOf({command, args}: Pick<AgentCommand, 'command' | 'args'>): string {
  return JSON.stringify([command, ...args]);
}
