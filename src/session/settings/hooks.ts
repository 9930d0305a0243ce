import type * as acp from '@agentclientprotocol/sdk/unstable';

/** When hooks run, under the names that Claude Code has for it. */
export const HOOK_EVENTS = {
  SessionStart: 'programs to run when a session is opened',
  UserPromptSubmit: 'programs to run before a prompt is sent',
  PermissionRequest: 'programs that decide about what an agent wants to do',
  PostToolUse: 'programs to run when a tool call has ended',
  Stop: 'programs to run when a turn has ended',
  Notification: 'programs to run when you are notified',
  SessionEnd: 'programs to run when a session is closed',
} as const;
export type HookEvent = keyof typeof HOOK_EVENTS;

/** A program of the user's, or of a trusted folder, that runs at an event; docs/commands-and-hooks.md. */
export interface Hook {
  readonly event: HookEvent;
  /** A regular expression for the whole name of what the event is about; undefined for everything. */
  readonly matcher: string | undefined;
  /** For the shell. */
  readonly command: string;
  /** How long it may run. */
  readonly seconds: number;
  readonly source: 'user' | 'project';
}

/** Names a hook like a rule: `hook: ./check.sh (user)`. */
export function hookLabel({command, source}: Hook): string {
  const line = command.replaceAll(/\s+/g, ' ').trim();
  return `hook: ${line.length > 60 ? `${line.slice(0, 60)}…` : line} (${source})`;
}

/** What the tools of Claude Code are called, by kind; the first is the name that hooks get. */
const TOOL_NAMES: Readonly<Record<acp.ToolKind, readonly string[]>> = {
  read: ['Read'],
  edit: ['Edit', 'Write', 'MultiEdit'],
  delete: ['Delete'],
  move: ['Move'],
  search: ['Grep', 'Glob'],
  execute: ['Bash'],
  think: ['Think'],
  fetch: ['WebFetch'],
  switch_mode: ['ExitPlanMode'],
  other: [],
};

/** The names of a tool that a matcher may have: those of its kind, and the agent's own. */
export function toolNames(kind: acp.ToolKind, own: string | null | undefined): readonly string[] {
  const names = Object.hasOwn(TOOL_NAMES, kind) ? TOOL_NAMES[kind] : [];
  return [...names, ...(own ? [own] : []), kind];
}
