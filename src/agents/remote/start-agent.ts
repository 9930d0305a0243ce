import type {Result} from '../../shared/failure.ts';
import {launchAgent, type AgentProcess, type ProcessEvent} from '../launch.ts';
import type {RemoteAgent} from './remote-agent.ts';
import type {AgentCommand} from '../resolve.ts';

interface StartOptions {
  /** Absolute; the working folder of a local agent. */
  readonly cwd: string;
  readonly onEvent: (event: ProcessEvent) => void;
}

/** Launches a local agent, or connects to a remote one. */
export async function startAgent(
  agent: AgentCommand,
  options: StartOptions,
): Promise<Result<AgentProcess | RemoteAgent>> {
  const {remote} = agent;
  if (!remote) return launchAgent(agent, options);
  const {connectRemoteAgent} = await import('./remote-agent.ts');
  return connectRemoteAgent({...agent, remote}, options);
}
