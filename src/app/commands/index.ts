import {
  addDir,
  newSession,
  quit,
  retry,
  archive,
  close,
  deleteCommand,
  fork,
  rename,
  resume,
  rewind,
  unarchive,
  undelete,
  undo,
} from './session-commands.ts';
import {
  agents,
  changes,
  find,
  fullscreen,
  help,
  history,
  log,
  mcp,
  providers,
  permissions,
  plan,
  review,
  status,
  subagents,
} from './view-commands.ts';
import {approve, config, mode, model, settings, theme, vim} from './setting-commands.ts';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Command} from './command.ts';
import {copy, exportCommand, openCommand} from './transfer-commands.ts';
import {login, logout} from './sign-in-commands.ts';

/** acp-tui's slash commands, in display order. */
export const commands: readonly Command[] = [
  help,
  newSession,
  agents,
  resume,
  fork,
  rename,
  close,
  archive,
  unarchive,
  deleteCommand,
  undelete,
  find,
  history,
  exportCommand,
  copy,
  openCommand,
  mode,
  model,
  config,
  settings,
  approve,
  addDir,
  permissions,
  mcp,
  providers,
  plan,
  subagents,
  review,
  changes,
  undo,
  rewind,
  retry,
  vim,
  theme,
  fullscreen,
  status,
  log,
  login,
  logout,
  quit,
];

/** Returns acp-tui's command of that name, without the slash. */
export function ownCommandNamed(name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}

/** Returns acp-tui's command of that name or alias; an alias that is also a command of the agent means the agent's. */
export function findCommand(name: string, agents: readonly acp.AvailableCommand[]): Command | undefined {
  const named = ownCommandNamed(name);
  if (named || agents.some((agent) => agent.name === name)) return named;
  return commands.find(({aliases}) => aliases?.includes(name));
}
