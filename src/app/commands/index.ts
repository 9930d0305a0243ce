import * as sessions from './session-commands.ts';
import {worktree} from './worktree-commands.ts';
import {compare} from './compare-command.ts';
import * as views from './view-commands.ts';
import * as settings from './setting-commands.ts';
import type {Command} from './command.ts';
import {movedCommands, type MovedCommand} from './moved-commands.ts';
import * as transfer from './transfer-commands.ts';

/** acp-tui's slash commands, in display order. */
export const commands: readonly Command[] = [
  views.help,
  sessions.newSession,
  worktree,
  compare,
  views.agents,
  sessions.resume,
  sessions.fork,
  sessions.rename,
  sessions.restart,
  sessions.close,
  sessions.detach,
  sessions.deleteCommand,
  transfer.exportCommand,
  transfer.copy,
  transfer.openCommand,
  transfer.saveCommand,
  settings.mode,
  settings.model,
  settings.effort,
  settings.config,
  settings.settings,
  sessions.addDir,
  views.permissions,
  views.sandbox,
  views.mcp,
  views.providers,
  views.plan,
  views.subagents,
  views.tasks,
  views.review,
  sessions.undo,
  sessions.rewind,
  sessions.handoff,
  views.status,
  views.usage,
  sessions.login,
  sessions.logout,
  sessions.quit,
];

/** Returns acp-tui's command of that name, without the slash. */
export function findOwnCommand(name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}

/** Another command: the agent's, or a custom one. */
export interface OtherCommand {
  readonly name: string;
}

/** Returns acp-tui's command of that name or alias; an alias that is also the name of another command means that one. */
export function findCommand(name: string, others: readonly OtherCommand[]): Command | undefined {
  const named = findOwnCommand(name);
  if (named || others.some((other) => other.name === name)) return named;
  return commands.find(({aliases}) => aliases?.includes(name));
}

/** Returns what had that name before it moved; undefined if another command has it now. */
export function findMoved(name: string, others: readonly OtherCommand[]): MovedCommand | undefined {
  if (others.some((other) => other.name === name)) return undefined;
  return movedCommands.find((moved) => moved.name === name);
}
