import {ndJsonStream, type Stream} from '@agentclientprotocol/sdk/unstable';
import type {AcpServerOptions} from '@agentclientprotocol/sdk/experimental/server';
import {launchAgent} from '../agents/launch.ts';
import type {AgentCommand} from '../agents/resolve.ts';
import type {Failure} from '../shared/failure.ts';

interface BridgeOptions {
  /** Absolute; the agents' working folder. */
  readonly cwd: string;
  /** Called if an agent could not be started. */
  readonly onFailure: (failure: Failure) => void;
  /** Called with the agents' stderr output. */
  readonly onStderr?: (text: string) => void;
}

/** The SDK server's interface for its connections. */
type AgentConnector = NonNullable<AcpServerOptions['agent']>;

/** Local agents, one per connection. */
export interface Bridge extends AgentConnector {
  /** Returns the number of agents that are running, starting or stopping. */
  readonly running: () => number;
  /** Resolves when all have ended. */
  readonly ended: () => Promise<void>;
  /** Kills all of them synchronously. */
  readonly killNow: () => void;
}

/** Starts the agent for each connection, and stops it at the end of the connection. */
export function bridgeTo(agent: AgentCommand, options: BridgeOptions): Bridge {
  const runs = new Set<Promise<void>>();
  const kills = new Set<() => void>();

  async function run(stream: Stream): Promise<void> {
    const {cwd, onFailure, onStderr = () => {}} = options;
    const launched = await launchAgent(agent, {
      cwd,
      onEvent: (event) => void (event.kind === 'stderr' && onStderr(event.text)),
    });
    if (!launched.ok) {
      onFailure(launched.failure);
      await Promise.allSettled([stream.writable.close(), stream.readable.cancel()]);
      return;
    }
    const {value} = launched;
    const kill = () => value.killNow();
    kills.add(kill);
    const process = ndJsonStream(value.stdin, value.stdout);
    const ended = process.readable.pipeTo(stream.writable).catch(() => {});
    const left = stream.readable.pipeTo(process.writable).catch(() => {});
    await Promise.race([ended, left]);
    await value.stop();
    kills.delete(kill);
  }

  return {
    connect(stream) {
      const closed = run(stream);
      runs.add(closed);
      void closed.finally(() => runs.delete(closed));
      return {closed};
    },
    running: () => runs.size,
    ended: async () => void (await Promise.allSettled(runs)),
    killNow: () => kills.forEach((kill) => kill()),
  };
}
