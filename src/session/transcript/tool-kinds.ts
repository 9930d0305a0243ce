import type {ToolKind} from '@agentclientprotocol/sdk/unstable';

/** Every tool kind of the schema; a missing one fails the type check. */
export const TOOL_KINDS: Readonly<Record<ToolKind, true>> = {
  read: true,
  edit: true,
  delete: true,
  move: true,
  search: true,
  execute: true,
  think: true,
  fetch: true,
  switch_mode: true,
  other: true,
};

/** True for a tool that only reads: its results are meant for the agent. */
export function isLookup(kind: ToolKind): boolean {
  return kind === 'read' || kind === 'search';
}

/** The title of a tool call without a title or name. */
export const UNTITLED = 'Tool call';
