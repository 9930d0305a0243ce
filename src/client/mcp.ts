import {homedir} from 'node:os';
import {basename} from 'node:path';
import type {Result} from '../shared/failure.ts';
import {whatItIs, type McpSource} from '../mcp/config.ts';
import type {PreparedServer} from '../mcp/prepare.ts';
import type {McpServerRow} from '../session/mcp-servers.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import type {ClientContext} from './context.ts';
import type {McpPlace} from './options.ts';

/**
 * Finds out which MCP servers the next request that opens a session tells the agent of, whichever request it is. What is left
 * out is told once, and again when there is another reason.
 */
export function chooseServers(context: ClientContext): void {
  const prepared = context.options.mcp?.prepare(placeOf(context)) ?? [];
  context.mcpServers = prepared.flatMap((server) => (server.kind === 'told' ? [server.as] : []));
  const toldBefore = context.leftOut;
  context.leftOut = prepared.flatMap((one) => (one.kind === 'left_out' ? [leftOutSentence(one)] : []));
  for (const text of context.leftOut) {
    if (!toldBefore.includes(text))
      context.link.emit({type: 'notice', level: 'warning', text, at: Date.now()});
  }
}

function leftOutSentence({server, why}: Extract<PreparedServer, {kind: 'left_out'}>): string {
  return sanitizeLine(`The MCP server "${server.name}" (${shownFile(server.source)}) is left out: ${why}.`);
}

/** All MCP servers, as they stand for the next session. */
export function listServers(context: ClientContext): readonly McpServerRow[] {
  const prepared = context.options.mcp?.prepare(placeOf(context)) ?? [];
  return prepared.map(rowOf);
}

/** Switches a server on or off for the sessions that are opened from now on in this folder. */
export function toggleServer(context: ClientContext, name: string): Result<void> {
  return context.options.mcp?.switch(name, placeOf(context)) ?? {ok: true, value: undefined};
}

function placeOf({options: {agent, cwd}, link}: ClientContext): McpPlace {
  return {agent, cwd, capabilities: link.state().agent?.capabilities};
}

function nextOf(one: PreparedServer): McpServerRow['next'] {
  if (one.kind === 'left_out') return {leftOut: sanitizeLine(one.why)};
  return one.kind === 'told' ? 'on' : 'off';
}

function rowOf(prepared: PreparedServer): McpServerRow {
  const {name, transport, source, insteadOf} = prepared.server;
  const before = insteadOf ? `, instead of the one in ${shownFile(insteadOf)}` : '';
  return {
    name,
    transport,
    from: sanitizeLine(shownFile(source) + before),
    what: whatItIs(prepared.server),
    next: nextOf(prepared),
  };
}

/** A folder's own file by its name, any other with what is at home shortened. */
function shownFile({kind, file}: McpSource): string {
  if (kind === 'folder') return basename(file);
  const home = homedir();
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
}
