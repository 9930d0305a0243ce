import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {DirectServer} from '../../mcp/prepare.ts';
import type {Relay} from '../../mcp/relay.ts';
import type {AgentRun, ClientContext} from '../context.ts';

/** The MCP servers that a session offers its agent over the connection. */
interface OfferedServers {
  /** Offers a server; returns its declaration for the agent. It is started on first use. */
  readonly offer: (server: DirectServer) => acp.McpServer;
  /** Withdraws and stops all servers; resolves when they have ended. */
  readonly end: () => Promise<void>;
}

export function createOfferedServers(
  {options: {cwd}, sink, processes}: ClientContext,
  {connection}: Pick<AgentRun, 'connection'>,
): OfferedServers {
  const ends: (() => Promise<void>)[] = [];
  return {
    offer(server) {
      let relay: Promise<Relay> | undefined;
      const registration = connection.offerMcpServer(server.name, async (operation) => {
        relay ??= import('../../mcp/relay.ts').then(({createRelay}) =>
          createRelay(server, {cwd, log: sink.log, onProcess: (process) => void processes.push(process)}),
        );
        return (await relay).handle(operation);
      });
      ends.push(async () => {
        const disposed = registration.dispose();
        await (await relay)?.close();
        await disposed;
      });
      return registration.declaration;
    },
    end: async () => void (await Promise.all(ends.splice(0).map((end) => end()))),
  };
}
