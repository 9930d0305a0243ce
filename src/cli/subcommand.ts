import {CommanderError, type Command, Option} from 'commander';
import * as z from 'zod/mini';
import {usageError, usageSentence} from './usage.ts';

/** The parsed arguments of a subcommand, or a text to print before exiting. */
export type ReadSubcommand<Asked> =
  | {readonly kind: 'command'; readonly command: Asked}
  | {readonly kind: 'message'; readonly text: string; readonly exitCode: number};

interface Reading<Asked> {
  /** Width of the terminal, for `--help`. */
  readonly columns: number;
  /** The command that prints the help. */
  readonly help: string;
  /** The default subcommand, without arguments or with options only; `list` by default. */
  readonly bare?: readonly string[];
  /** Creates the program, whose actions pass the parsed command to `take`. */
  readonly program: (take: (command: Asked) => void) => Command;
}

/** Parses arguments with commander; writes nothing and never exits. */
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
      return usageError(error.issues[0]?.message ?? 'Invalid option.', help);
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return {kind: 'message', text, exitCode: 0};
    return usageError(usageSentence(error.message), help);
  }
  return read ? {kind: 'command', command: read.command} : usageError('Unknown subcommand.', help);
}

function isBare([first]: readonly string[]): boolean {
  return first === undefined || (first.startsWith('-') && first !== '-h' && first !== '--help');
}

/** Parses a subcommand's arguments and options; throws a ZodError with the reason. */
export type SubcommandReader<Asked> = (
  words: readonly string[],
  options: Readonly<Record<string, unknown>>,
) => Asked;

/** Returns a function that adds a subcommand to a program: `take` gets the result of its reader. `words` are its arguments after the name. */
export function subcommandsOf<Asked extends {readonly kind: string}>(
  program: Command,
  readers: Readonly<Record<Asked['kind'], SubcommandReader<Asked>>>,
  take: (asked: Asked) => void,
): (kind: Asked['kind'], words: string, description: string) => Command {
  return (kind, words, description) => {
    const command = program.command(`${kind}${words}`).description(description);
    return command.action(() => take(readers[kind](command.args, command.opts())));
  };
}

/** An option that collects its values; zod validates them later, so that all messages have the same style. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description} (repeatable)`).argParser(
    (value: string, before: string[] | undefined) => [...(before ?? []), value],
  );
}

/** An option with fixed values; zod validates it later, too. */
export function choice(flags: string, description: string, values: readonly string[]): Option {
  return withChoices(new Option(flags, `${description}: ${values.join(', ')}`), values);
}

/** Not commander's own choices, which it would validate with its own messages. */
const choices = new WeakMap<Option, readonly string[]>();

/** Stores the values of an option for shell completion. */
export function withChoices(option: Option, values: readonly string[]): Option {
  choices.set(option, values);
  return option;
}

export function choicesOf(option: Option): readonly string[] | undefined {
  return choices.get(option);
}
