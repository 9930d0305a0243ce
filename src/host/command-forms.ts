import type * as acp from '@agentclientprotocol/sdk/unstable';

/** Variables that do not change what a command does, only how it looks. */
const HARMLESS =
  /^(?:CI|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLORTERM|COLUMNS|LINES|LANG|LC_\w+|TZ|NODE_ENV)$/;

/**
 * The ways to write one command, so that what was approved can be compared with what is run: `npm test` and
 * `["npm", "test"]` and `["sh", "-c", "npm test"]` share one. A line with any shell syntax only equals itself.
 */
export function commandForms(command: string | readonly string[]): ReadonlySet<string> {
  if (typeof command === 'string') {
    const line = command.trim();
    const isPlain = /^[\w@%+:,./-]+(?: +[\w@%+:,./-]+)*$/.test(line);
    return new Set([`line ${line}`, ...(isPlain ? [words(line.split(/ +/))] : [])]);
  }
  const [shell, flag, line, ...rest] = command;
  const isShell = /^(?:.*\/)?(?:sh|bash|zsh)$/.test(shell ?? '') && /^-l?c$/.test(flag ?? '');
  const inner = isShell && line !== undefined && rest.length === 0 ? commandForms(line) : [];
  return new Set([words(command), ...inner]);
}

/** The forms of a `terminal/create`; none when its environment could make another command of it. */
export function formsOfRequest({command, args, env}: acp.CreateTerminalRequest): ReadonlySet<string> {
  if ((env ?? []).some((each) => !isHarmless(each))) return new Set();
  return commandForms((args ?? []).length === 0 ? command : [command, ...(args ?? [])]);
}

/** True for a variable that does not change what a command does. */
export function isHarmless({name, value}: acp.EnvVariable): boolean {
  return HARMLESS.test(name) || (/^(?:GIT_)?PAGER$/.test(name) && value === 'cat');
}

function words(command: readonly string[]): string {
  return `words ${JSON.stringify(command)}`;
}
