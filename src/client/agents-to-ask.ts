import {type AgentCommand, isSameAgent} from '../agents/resolve.ts';
import type {StoredAgent, StoredSession} from '../storage/sessions/stored-session.ts';
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

/**
 * The agent that a session was stored with, where that is another than `own`: as it is started today where it has a name, since what
 * it was then may be gone. What was imported has none of its own.
 */
export function storedAgent(
  stored: Pick<StoredSession, 'agent'> | undefined,
  own: AgentCommand,
  known: readonly AgentToAsk[],
): AgentCommand | undefined {
  if (!stored || stored.agent.command === '' || isSameAgent(stored.agent, own)) return undefined;
  const {label, command, args} = stored.agent;
  const today = known.find((agent) => agent.label === label)?.agent;
  return today?.ok ? today.value : {label, command, args, env: {}};
}

function lineOf({command, args}: AgentCommand): string {
  return JSON.stringify([command, ...args]);
}
