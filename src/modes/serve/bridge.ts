import type {AnyMessage, Stream} from '@agentclientprotocol/sdk/unstable';
import type {AcpServerOptions} from '@agentclientprotocol/sdk/experimental/server';
import {launchAgent} from '../../agents/launch.ts';
import type {AgentCommand} from '../../agents/resolve.ts';
import type {OpenSandbox} from '../../sandbox/session-sandbox.ts';
import {stdioTransport} from '../../protocol/transport.ts';
import {errorMessage, type Failure} from '../../shared/failure.ts';
import {isJsonObject, jsonOf} from '../../text/json.ts';

interface BridgeOptions {
  /** Absolute; the agents' working folder. */
  readonly cwd: string;
  /** Opens the sandbox that all of them share; absent if they are not confined. */
  readonly sandbox?: OpenSandbox | undefined;
  /** How agents are started. */
  readonly launch?: typeof launchAgent;
  /** Called if an agent could not be started. */
  readonly onFailure: (failure: Failure) => void;
  /** Called with what agents write besides messages, and with why a connection ended early. */
  readonly log?: (text: string) => void;
}

/** The SDK server's interface for its connections. */
type AgentConnector = NonNullable<AcpServerOptions['agent']>;

/** Local agents, one per connection. */
export interface Bridge extends AgentConnector {
  readonly connect: (stream: Stream) => {readonly closed: Promise<void>};
  /** Returns true while no further agent may start. */
  readonly isFull: () => boolean;
  /** Returns the number of agents that are running, starting or stopping. */
  readonly running: () => number;
  /** Resolves when all have ended. */
  readonly ended: () => Promise<void>;
  /** Kills all of them synchronously. */
  readonly killNow: () => void;
}

/** Maximum number of agents: each connection starts one. */
const MAX_AGENTS = 32;

/** Starts the agent for each connection, and stops it at the end of the connection. */
export function bridgeTo(agent: AgentCommand, options: BridgeOptions): Bridge {
  const runs = new Set<Promise<void>>();
  const kills = new Set<() => void>();
  const {cwd, onFailure, sandbox, launch = launchAgent, log = () => {}} = options;
  const isFull = () => runs.size >= MAX_AGENTS;

  async function run(stream: Stream): Promise<void> {
    const launched = await launch(agent, {
      cwd,
      sandbox,
      onEvent: (event) => void (event.kind === 'stderr' && log(`agent stderr: ${event.text}`)),
    });
    if (!launched.ok) {
      onFailure(launched.failure);
      return close(stream);
    }
    const {value} = launched;
    const kill = () => value.killNow();
    kills.add(kill);
    const transport = stdioTransport(value);
    const input = new WritableStream<AnyMessage>({
      write: (message) => transport.send(JSON.stringify(message)),
    });
    const ended = messagesOf(transport.lines, log).pipeTo(stream.writable);
    const left = stream.readable.pipeTo(input);
    await Promise.race([ended, left]).catch((error: unknown) =>
      log(`a connection ended: ${errorMessage(error)}`),
    );
    await value.stop();
    kills.delete(kill);
  }

  return {
    connect(stream) {
      if (isFull()) return {closed: close(stream)};
      const closed = run(stream);
      runs.add(closed);
      void closed.finally(() => runs.delete(closed));
      return {closed};
    },
    isFull,
    running: () => runs.size,
    ended: async () => void (await Promise.allSettled(runs)),
    killNow: () => kills.forEach((kill) => kill()),
  };
}

/** Returns the messages in the agent's output. It is read as fast as they are taken: an agent whose client does not read has to wait. */
function messagesOf(
  lines: ReadableStream<readonly string[]>,
  log: (text: string) => void,
): ReadableStream<AnyMessage> {
  return lines.pipeThrough(
    new TransformStream<readonly string[], AnyMessage>({
      transform(read, controller) {
        for (const line of read) {
          const message = jsonOf(line);
          if (isJsonObject(message)) controller.enqueue(message as unknown as AnyMessage);
          else if (line.trim() !== '') log(`agent stdout: ${line}`);
        }
      },
    }),
  );
}

async function close({writable, readable}: Stream): Promise<void> {
  await Promise.allSettled([writable.close(), readable.cancel()]);
}
