import {ndJsonStream, type Stream} from '@agentclientprotocol/sdk/unstable';
import type {AcpServerOptions} from '@agentclientprotocol/sdk/experimental/server';
import {launchAgent} from '../../../src/agents/launch.ts';
import type {AgentCommand} from '../../../src/agents/resolve.ts';
import type {Failure} from '../../../src/shared/failure.ts';

interface BridgeOptions {
  /** Absolute; agents run there. */
  readonly cwd: string;
  /** Hears why an agent could not be started. */
  readonly onFailure: (failure: Failure) => void;
}

/** What the SDK's server gives each connection to: an agent of its own. */
type AgentConnector = NonNullable<AcpServerOptions['agent']>;

/** Starts the agent anew for each connection, and ends it with that. */
export function bridgeTo(agent: AgentCommand, options: BridgeOptions): AgentConnector {
  return {connect: (stream) => ({closed: run(agent, stream, options)})};
}

async function run(agent: AgentCommand, stream: Stream, {cwd, onFailure}: BridgeOptions): Promise<void> {
  const launched = await launchAgent(agent, {cwd});
  if (!launched.ok) {
    onFailure(launched.failure);
    await Promise.allSettled([stream.writable.close(), stream.readable.cancel()]);
    return;
  }
  const {stdin, stdout} = launched.value;
  const process = ndJsonStream(stdin, stdout);
  const ended = process.readable.pipeTo(stream.writable).catch(() => {});
  const left = stream.readable.pipeTo(process.writable).catch(() => {});
  await Promise.race([ended, left]);
  await launched.value.stop();
}
