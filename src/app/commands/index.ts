import {addDir} from './add-dir.ts';
import {agents} from './agents.ts';
import {approve} from './approve.ts';
import {changes} from './changes.ts';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Command} from './command.ts';
import {config} from './config.ts';
import {copy} from './copy.ts';
import {exportCommand} from './export.ts';
import {find} from './find.ts';
import {help} from './help.ts';
import {history} from './history.ts';
import {log} from './log.ts';
import {login} from './login.ts';
import {logout} from './logout.ts';
import {mcp} from './mcp.ts';
import {mode} from './mode.ts';
import {model} from './model.ts';
import {newSession} from './new.ts';
import {permissions} from './permissions.ts';
import {plan} from './plan.ts';
import {quit} from './quit.ts';
import {retry} from './retry.ts';
import {archive, close, deleteCommand, fork, rename, resume, unarchive, undelete} from './sessions.ts';
import {status} from './status.ts';
import {theme} from './theme.ts';
import {undo} from './undo.ts';
import {vim} from './vim.ts';

/** Our slash commands, in the order in which they are listed. */
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
  mode,
  model,
  config,
  approve,
  addDir,
  permissions,
  mcp,
  plan,
  changes,
  undo,
  retry,
  vim,
  theme,
  status,
  log,
  login,
  logout,
  quit,
];

/** Our command of that name, without the slash. */
export function commandNamed(name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}

/** Our command of that name or alias; an alias that is also a command of the agent's means the agent's. */
export function commandMeant(name: string, agents: readonly acp.AvailableCommand[]): Command | undefined {
  const named = commandNamed(name);
  if (named || agents.some((agent) => agent.name === name)) return named;
  return commands.find(({aliases}) => aliases?.includes(name));
}
