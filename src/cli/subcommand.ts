import {CommanderError, type Command} from 'commander';
import * as z from 'zod/mini';
import {usageError, usageSentence} from './usage.ts';

/** What the arguments behind the name of a subcommand ask for, or a text to show and leave with. */
export type ReadSubcommand<Asked> =
  | {readonly kind: 'command'; readonly command: Asked}
  | {readonly kind: 'message'; readonly text: string; readonly exitCode: number};

export interface Reading<Asked> {
  /** Of the terminal, for `--help`. */
  readonly columns: number;
  /** What shows the help. */
  readonly help: string;
  /** What is meant where nothing, or only options, are behind the name; `list` unless told. */
  readonly bare?: readonly string[];
  /** Makes the program, whose actions give what was asked for to `take`. */
  readonly program: (take: (command: Asked) => void) => Command;
}

/** Reads arguments with commander; writes nothing and never leaves the process. */
export function readSubcommand<Asked>(
  argv: readonly string[],
  {columns, help, bare = ['list'], program: createProgram}: Reading<Asked>,
): ReadSubcommand<Asked> {
  let text = '';
  let read: {readonly command: Asked} | undefined;
  const program = createProgram((command) => (read = {command}));
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (chunk) => (text += chunk),
      writeErr: () => {},
      getOutHelpWidth: () => columns,
      getOutHasColors: () => false,
    });
  }
  try {
    program.parse(isBare(argv) ? [...bare, ...argv] : argv, {from: 'user'});
  } catch (error) {
    if (error instanceof z.core.$ZodError)
      return usageError(error.issues[0]?.message ?? 'An option is wrong.', help);
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return {kind: 'message', text, exitCode: 0};
    return usageError(usageSentence(error.message), help);
  }
  return read ? {kind: 'command', command: read.command} : usageError('There is no such subcommand.', help);
}

function isBare([first]: readonly string[]): boolean {
  return first === undefined || (first.startsWith('-') && first !== '-h' && first !== '--help');
}
