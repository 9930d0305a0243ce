import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ProgramLookup} from './find-executable.ts';
import {isSystemShell} from './system-shell.ts';

/** Variables that do not change what a command does, only how it looks. */
const HARMLESS =
  /^(?:CI|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLORTERM|COLUMNS|LINES|LANG|LC_\w+|TZ|NODE_ENV)$/;

/**
 * The ways to write one command, so that what was approved can be compared with what is run: `npm test` and
 * `["npm", "test"]` and `["sh", "-c", "npm test"]` share one, where `sh` is a shell of the system. A line with any shell
 * syntax only equals itself.
 */
export function commandForms(
  command: string | readonly string[],
  lookup: ProgramLookup,
): ReadonlySet<string> {
  if (typeof command === 'string') {
    const [, plain] = /^ *([\w@%+:,./-]+(?: +[\w@%+:,./-]+)*) *$/.exec(command) ?? [];
    return new Set([`line ${command}`, ...(plain === undefined ? [] : [words(plain.split(/ +/))])]);
  }
  const [shell = '', flag, line, ...rest] = command;
  const isShell = /^-l?c$/.test(flag ?? '') && rest.length === 0 && isSystemShell(shell, lookup);
  return new Set([words(command), ...(isShell && line !== undefined ? commandForms(line, lookup) : [])]);
}

/** The forms of a `terminal/create`. */
export function formsOfRequest(
  {command, args}: Pick<acp.CreateTerminalRequest, 'command' | 'args'>,
  lookup: ProgramLookup,
): ReadonlySet<string> {
  return commandForms((args ?? []).length === 0 ? command : [command, ...(args ?? [])], lookup);
}

/** True for a variable that does not change what a command does. */
export function isHarmless({name, value}: acp.EnvVariable): boolean {
  return HARMLESS.test(name) || (/^(?:GIT_)?PAGER$/.test(name) && value === 'cat');
}

function words(command: readonly string[]): string {
  return `words ${JSON.stringify(command)}`;
}
