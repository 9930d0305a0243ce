import type {ConfiguredServer, McpSource} from './configured.ts';

/** A server, and where else its name stands. */
export type MergedServer = ConfiguredServer & {
  /** The server that it takes the place of, where there is one. */
  readonly insteadOf?: McpSource;
};

/** Servers of several places, one a name: of those that have one name the last counts, in the place of the first. */
export function mergeServers(lists: readonly (readonly ConfiguredServer[])[]): readonly MergedServer[] {
  const merged = new Map<string, MergedServer>();
  for (const server of lists.flat()) {
    const before = merged.get(server.name);
    merged.set(server.name, before ? {...server, insteadOf: before.source} : server);
  }
  return [...merged.values()];
}
