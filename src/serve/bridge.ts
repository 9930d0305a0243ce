import {ndJsonStream, type Stream} from '@agentclientprotocol/sdk/unstable';
import type {AcpServerOptions} from '@agentclientprotocol/sdk/experimental/server';
import {launchAgent} from '../agents/launch.ts';
import type {AgentCommand} from '../agents/resolve.ts';
import type {Failure} from '../shared/failure.ts';

interface BridgeOptions {
  /** Absolute; agents run there. */
  readonly cwd: string;
  /** Hears why an agent could not be started. */
  readonly onFailure: (failure: Failure) => void;
  /** Hears what agents write on stderr. */
  readonly onStderr?: (text: string) => void;
}

/** What the SDK's server gives its connections to. */
type AgentConnector = NonNullable<AcpServerOptions['agent']>;

/** Agents on this computer, one for each connection. */
export interface Bridge extends AgentConnector {
  /** How many agents run, or are being started or ended. */
  readonly running: () => number;
  /** Resolves when none is left. */
  readonly ended: () => Promise<void>;
  /** Kills all of them at once, synchronously. */
  readonly killNow: () => void;
}

/** Starts the agent anew for each connection, and ends it with that. */
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
