import type {Result} from '../../shared/failure.ts';
import {launchAgent, type AgentProcess, type ProcessEvent} from '../launch.ts';
import type {RemoteAgent} from './remote-agent.ts';
import type {AgentCommand} from '../resolve.ts';

interface StartOptions {
  /** Absolute; an agent on this computer runs there. */
  readonly cwd: string;
  readonly onEvent: (event: ProcessEvent) => void;
}

/** Launches the agent, or connects to it where it runs elsewhere. */
export async function startAgent(
  agent: AgentCommand,
  options: StartOptions,
): Promise<Result<AgentProcess | RemoteAgent>> {
  const {remote} = agent;
  if (!remote) return launchAgent(agent, options);
  const {connectRemoteAgent} = await import('./remote-agent.ts');
  return connectRemoteAgent({...agent, remote}, options);
}
