import {Command, CommanderError} from 'commander';
import {closest} from 'fastest-levenshtein';
import * as z from 'zod/mini';
import {isSpelledLike} from '../shared/spelling.ts';
import {addOptions, schemaOf, type OptionTable, type OptionValues} from './option-table.ts';
import {usageError, usageSentence} from './usage.ts';

/** The parsed arguments of a subcommand, or a text to print before exiting. */
export type ReadSubcommand<Asked> = {readonly kind: 'command'; readonly command: Asked} | ExitMessage;

/** A text to print before exiting. */
export interface ExitMessage {
  readonly kind: 'message';
  readonly text: string;
  readonly exitCode: number;
  /** The subcommand that an unknown one is probably meant for. */
  readonly suggestion?: string | undefined;
  /** True if nothing is wrong but that an argument is missing. */
  readonly isIncomplete?: boolean;
}

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
    const isUnknown = error.code === 'commander.unknownCommand';
    const suggestion = isUnknown ? meantSubcommand(argv[0], program.commands) : undefined;
    return {
      ...usageError(usageSentence(error.message), help),
      ...(suggestion !== undefined && {suggestion}),
      ...(error.code === 'commander.missingArgument' && {isIncomplete: true}),
    };
  }
  return read ? {kind: 'command', command: read.command} : usageError('Unknown subcommand.', help);
}

/** What shells call these. */
const IN_SHELLS: Readonly<Record<string, readonly string[]>> = {ls: ['list'], rm: ['remove', 'delete']};

/** Words of a sentence that are one letter short of a subcommand. */
const WORDS: ReadonlySet<string> = new Set(['end', 'how', 'log', 'top']);

/** Returns the subcommand that a word is probably meant for: neither another form of it, such as "shows", nor a short word of a sentence, such as "and". */
function meantSubcommand(word = '', commands: readonly Command[]): string | undefined {
  const names = commands.flatMap((command) => [command.name(), ...command.aliases()]);
  const inShells = Object.hasOwn(IN_SHELLS, word) && IN_SHELLS[word]?.find((name) => names.includes(name));
  if (inShells) return inShells;
  const name = closest(word, names);
  if (!/^[a-z]{3,}$/.test(word) || word.startsWith(name) || !isSpelledLike(word, name)) return undefined;
  return word.length > 3 || (name.length > 3 && !WORDS.has(word)) ? name : undefined;
}

function isBare([first]: readonly string[]): boolean {
  return first === undefined || (first.startsWith('-') && first !== '-h' && first !== '--help');
}

/** A subcommand of a group: its arguments, description and options, and how what was typed is read. */
interface Subcommand<Read = object> {
  readonly words: string;
  /** What the arguments are, in their order. */
  readonly about?: readonly string[];
  readonly description: string;
  readonly options: OptionTable;
  /** Another name. */
  readonly alias?: string;
  /** Follows the help. */
  readonly after?: string;
  /** Throws a ZodError with the reason. */
  readonly read: (words: readonly string[], options: Readonly<Record<string, unknown>>) => Read;
}

/** Declares a subcommand: its arguments after the name, its description and options, and what it returns of both. */
export function subcommand<const Table extends OptionTable, const Read extends object = object>(
  words: string,
  description: string,
  options = {} as Table,
  read: (words: readonly string[], given: OptionValues<Table>) => Read = () => ({}) as Read,
): Subcommand<Read> {
  const schema = schemaOf(options);
  return {words, description, options, read: (typed, given) => read(typed, schema.parse(given))};
}

/** What a group of subcommands can be asked for: the subcommand as `kind`, and what it read. */
export type CommandOf<Group extends {readonly table: Readonly<Record<string, Subcommand>>}> = {
  readonly [Kind in keyof Group['table']]: {readonly kind: Kind} & ReturnType<Group['table'][Kind]['read']>;
}[keyof Group['table']];

/** Returns the program of a group of subcommands, and the parser of its arguments, which writes nothing and never exits. */
export function subcommandGroup<const Table extends Readonly<Record<string, Subcommand>>>(
  name: string,
  about: string,
  table: Table,
) {
  type Asked = CommandOf<{readonly table: Table}>;
  function program(take: (asked: Asked) => void): Command {
    const group = new Command(name).description(about);
    for (const [kind, {words, description, options, alias, after = '', read}] of Object.entries(table)) {
      const command = addOptions(group.command(`${kind}${words}`).description(description), options);
      if (alias !== undefined) command.alias(alias);
      command.addHelpText('after', after);
      command.action(() => take({kind, ...read(command.args, command.opts())} as unknown as Asked));
    }
    return group;
  }
  const help = `${name} --help`;
  const read = (argv: readonly string[], columns: number) =>
    readSubcommand<Asked>(argv, {columns, help, program});
  return {table, program, read};
}

/** Returns the program of a command without subcommands, and the parser of its arguments, which writes nothing and never exits. */
export function singleCommand<const Read>(
  name: string,
  {words, about = [], description, options, after = '', read: readWords}: Subcommand<Read>,
) {
  const help = `${name} --help`;
  function program(take: (asked: Read) => void): Command {
    const command = addOptions(new Command(name), options).description(description);
    for (const [index, word] of (words.match(/\S+/g) ?? []).entries()) command.argument(word, about[index]);
    return command
      .helpOption('-h, --help', 'show this help')
      .allowExcessArguments(false)
      .addHelpText('after', after)
      .action(() => take(readWords(command.args, command.opts())));
  }
  const read = (argv: readonly string[], columns: number) =>
    readSubcommand<Read>(argv, {columns, help, bare: [], program});
  return {program, read};
}
