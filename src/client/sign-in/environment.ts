import type {AgentCommand} from '../../agents/resolve.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Credentials} from '../../storage/credentials/credentials.ts';
import type {ClientContext} from '../context.ts';
import {warn} from '../open-session.ts';

type Found = Awaited<ReturnType<Credentials['find']>>;
export type FoundValues = Extract<Found, {ok: true}>['value'];

/** What is known to sign in to the agent; that it cannot be read is told. */
export async function findValues(context: ClientContext): Promise<FoundValues> {
  const {agent, credentials} = context.options;
  const found = await credentials?.find(agent);
  if (found?.ok === false) warn(context, failureSentence(found.failure));
  return found?.ok ? found.value : undefined;
}

/** The agent with what signs in to it. What was typed just now wins over `--env` and settings, what was kept does not. */
export function withValues(agent: AgentCommand, found: FoundValues): AgentCommand {
  if (!found) return agent;
  const env = found.isTyped ? {...agent.env, ...found.values} : {...found.values, ...agent.env};
  return {...agent, env};
}
