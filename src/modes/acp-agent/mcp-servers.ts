import type * as acp from '@agentclientprotocol/sdk/unstable';

/** Returns the MCP servers of an editor by their names, in the form that clients share. */
export function serversByName(servers: readonly acp.McpServer[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    servers.map((server) => {
      const {name} = server;
      if ('command' in server) {
        const {command, args, env} = server;
        return [name, {command, args, env: byName(env)}];
      }
      return 'url' in server
        ? [name, {type: server.type, url: server.url, headers: byName(server.headers)}]
        : [name, server];
    }),
  );
}

function byName(pairs: readonly {readonly name: string; readonly value: string}[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({name, value}) => [name, value]));
}
