/** An MCP server as it stands for the next session that is opened. */
export interface McpServerRow {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse';
  /** The file that names it, and what it takes the place of there. */
  readonly from: string;
  /** Its command line or address as the file has it: no variable is filled in. */
  readonly what: string;
  readonly next: 'on' | 'off' | {readonly leftOut: string};
}

/** What has changed between the servers of a session and those that it has now; undefined where nothing has. */
export function serversChanged(
  before: readonly string[] | undefined,
  now: readonly string[],
): string | undefined {
  if (!before) return undefined;
  const added = now.filter((name) => !before.includes(name));
  const gone = before.filter((name) => !now.includes(name));
  const told = [
    ...(added.length > 0 ? [`${added.join(', ')} ${added.length === 1 ? 'is' : 'are'} new`] : []),
    ...(gone.length > 0 ? [`${gone.join(', ')} ${gone.length === 1 ? 'is' : 'are'} gone`] : []),
  ];
  return told.length === 0
    ? undefined
    : `The MCP servers of this session are not those that it had: ${told.join('; ')}.`;
}
