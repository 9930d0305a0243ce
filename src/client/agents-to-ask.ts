import type {AgentCommand} from '../agents/agent-command.ts';
import type {StoredAgent} from '../persistence/sessions/stored-session.ts';
import type {AgentToAsk} from './ask-agents.ts';

/** All agents that may have sessions, but the one on the screen: those that are configured, then those that sessions are stored of. */
export function agentsToAsk(
  configured: readonly AgentToAsk[],
  stored: readonly StoredAgent[],
  own: AgentCommand,
): AgentToAsk[] {
  const found = new Map(configured.map((known) => [known.label, known]));
  for (const {label, command, args} of stored)
    // An imported session has no agent.
    if (command !== '' && !found.has(label))
      found.set(label, {label, agent: {ok: true, value: {label, command, args, env: {}}}});
  const asked = new Set([own.label, lineOf(own)]);
  return [...found.values()].filter(({label, agent}) => {
    const line = agent.ok ? lineOf(agent.value) : label;
    if (asked.has(label) || asked.has(line)) return false;
    asked.add(line);
    return true;
  });
}

function lineOf({command, args}: AgentCommand): string {
  return JSON.stringify([command, ...args]);
}
