import type {Entry, ToolCallEntry} from '../entries.ts';
import type {OwnServerState, SessionState} from '../state.ts';

/** An MCP server with its state in the next session. */
export interface McpServerRow {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse';
  /** The file that defines it, and which other definition it overrides. */
  readonly from: string;
  /** Its command line or URL as written in the file, without expanded variables. */
  readonly what: string;
  readonly next: 'on' | 'off' | {readonly leftOut: string};
}

/** Returns how the servers of a session changed; undefined if they did not. */
export function serversChanged(
  before: readonly string[] | undefined,
  now: readonly string[],
): string | undefined {
  if (!before) return undefined;
  const added = now.filter((name) => !before.includes(name));
  const gone = before.filter((name) => !now.includes(name));
  const changes = [
    ...(added.length > 0 ? [`${added.join(', ')} ${added.length === 1 ? 'is' : 'are'} new`] : []),
    ...(gone.length > 0 ? [`${gone.join(', ')} ${gone.length === 1 ? 'is' : 'are'} removed`] : []),
  ];
  return changes.length === 0
    ? undefined
    : `The MCP servers of this session have changed: ${changes.join('; ')}.`;
}

/** What is known about the start of any MCP server; the protocol does not report that of those that the agent runs. */
type ServerStart = OwnServerState | 'unavailable' | 'unconfirmed';

const WORDS: Readonly<Record<ServerStart, string>> = {
  unused: 'not used yet',
  started: 'started',
  failed: 'could not be started',
  unavailable: 'reported unavailable by the agent',
  unconfirmed: 'start not confirmed',
};

/** Returns whether a server of the session is running, as a label. */
export function serverStartLabel(session: SessionState, server: string): string {
  return WORDS[serverStart(session, server)];
}

/**
 * Infers the state of a server that the agent runs from the transcript: it runs if one of its tools has returned or its prompts are commands; the latest report counts
 * (fixtures/wire/*-mcp.ndjson).
 */
export function serverStart(session: SessionState, server: string): ServerStart {
  const {entries, commands, serversSince, mcpServers = [], ownServers} = session;
  if (ownServers && Object.hasOwn(ownServers, server)) return ownServers[server] ?? 'unused';
  const others = mcpServers.filter((name) => name !== server);
  const last = entries
    .slice(serversSince)
    .map((entry) => reportedStart(entry, server, others))
    .findLast((start) => start !== undefined);
  if (last !== undefined) return last;
  return commands.some(({name}) => name.startsWith(`mcp:${server}:`)) ? 'started' : 'unconfirmed';
}

function reportedStart(
  entry: Entry,
  server: string,
  others: readonly string[],
): 'started' | 'unavailable' | undefined {
  if (entry.type === 'notice')
    return entry.source === 'agent' && saysUnavailable(entry.text, server) ? 'unavailable' : undefined;
  if (entry.type !== 'tool_call' || !isToolOf(entry, server, others)) return undefined;
  if (entry.status === 'completed') return 'started';
  const isStart = entry.toolCallId.startsWith('mcp_startup.');
  return isStart && entry.status === 'failed' ? 'unavailable' : undefined;
}

/** Claude: `MCP server "files" failed to start`, `MCP server "files" needs authentication`. */
function saysUnavailable(text: string, server: string): boolean {
  const isAboutIt =
    /mcp server/i.test(text) && ['"', '`', "'"].some((quote) => text.includes(quote + server + quote));
  return isAboutIt && /fail|unavailable|needs auth|could not|cannot/i.test(text);
}

/** No tool has a longer name. */
const MAX_CALLED = 500;

/**
 * True if the tool belongs to the server, by the agents' naming schemes: `mcp__files__read` (Claude, Qwen Code), `mcp.files.read` (Codex), `read (files MCP
 * Server)` (Gemini), `files_read` (OpenCode, whose own tools have kinds).
 */
function isToolOf({name, title, kind}: ToolCallEntry, server: string, others: readonly string[]): boolean {
  const plain = plainName(server);
  // If one server's name is a prefix of another's, the longer one is meant.
  const longer = others.map(plainName).filter((other) => other.startsWith(`${plain}_`));
  return [name ?? '', title].some((called) => {
    if (called.length > MAX_CALLED) return false;
    const [, named] =
      /^mcp(?:__|\.)(.+?)(?:__|\.)[^.]+$/.exec(called) ?? / \(([^()]+) MCP Server\)/.exec(called) ?? [];
    if (named !== undefined) return plainName(named) === plain;
    if (kind !== 'other' || !/^\S+$/.test(called)) return false;
    const startsWith = (prefix: string) => plainName(called).startsWith(`${prefix}_`);
    return startsWith(plain) && !longer.some(startsWith);
  });
}

/** Agents replace characters that tool names must not contain. */
function plainName(name: string): string {
  return name.replaceAll(/[^\w]/g, '_').toLowerCase();
}
