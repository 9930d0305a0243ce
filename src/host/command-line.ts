interface Command {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
}

const SHELL_SYNTAX = /[\s|&;<>()$`\\"'*?[\]{}#~=!]/;

/** What is executed: with no `args`, a command with whitespace or shell syntax is a line for the shell ("Terminals"). */
export function toArgv({command, args}: Command): readonly [string, ...string[]] {
  return isShellLine({command, args}) ? ['/bin/sh', '-c', command] : [command, ...(args ?? [])];
}

/** The command as it would be typed. */
export function commandLine({command, args}: Command): string {
  return isShellLine({command, args}) ? command : [command, ...(args ?? [])].map(quote).join(' ');
}

/** True when it is a line for the shell, and not a program with its arguments. */
export function isShellLine({command, args}: Command): boolean {
  return (args ?? []).length === 0 && SHELL_SYNTAX.test(command);
}

function quote(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
