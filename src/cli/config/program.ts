import {Command} from 'commander';
import {readSubcommand, type ReadSubcommand} from '../subcommand.ts';
import {subcommandsOf} from '../subcommands-of.ts';
import type {ConfigCommand} from './commands.ts';
import {readers} from './options.ts';

/** Reads the arguments behind `acp-tui config`; writes nothing and never leaves the process. */
export function readConfigCommand(argv: readonly string[], columns: number): ReadSubcommand<ConfigCommand> {
  return readSubcommand(argv, {columns, help: 'acp-tui config --help', program: configProgram});
}

export function configProgram(take: (command: ConfigCommand) => void): Command {
  const program = new Command('acp-tui config').description(
    'The settings: list, read, change. Without a subcommand they are listed.',
  );
  const add = subcommandsOf<ConfigCommand>(program, readers, take);

  showing(add('list', '', 'every setting that has a value, and where that comes from'));
  showing(add('get', ' <name>', 'the value of a setting'));
  add('set', ' <name> <value>', 'changes a setting: acp-tui config set sessions.keepDays 30').addHelpText(
    'after',
    '\nThe value is JSON, or a text where it is none. A value that begins with a dash comes after --.',
  );
  add('unset', ' <name>', 'takes a setting out of the file, so that what is usual holds');
  add('edit', '', 'opens the file in $VISUAL or $EDITOR, and checks it afterwards');
  add('path', '', 'where the file is');
  return program;
}

function showing(command: Command): Command {
  return command
    .option('--with-secrets', 'what looks like a credential, too; it is masked otherwise')
    .option('--json', 'as JSON');
}
