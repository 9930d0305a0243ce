import {Command, Option} from 'commander';
import {EXPORT_CHOICES} from '../../export/format.ts';
import {withChoices} from '../commander-options.ts';
import {readSubcommand, type ReadSubcommand} from '../subcommand.ts';
import {subcommandsOf} from '../subcommands-of.ts';
import type {SessionsCommand} from './commands.ts';
import {readers} from './options.ts';

/** Reads the arguments behind `acp-tui sessions`; writes nothing and never leaves the process. */
export function readSessionsCommand(
  argv: readonly string[],
  columns: number,
): ReadSubcommand<SessionsCommand> {
  return readSubcommand(argv, {columns, help: 'acp-tui sessions --help', program: sessionsProgram});
}

export function sessionsProgram(take: (command: SessionsCommand) => void): Command {
  const program = new Command('acp-tui sessions').description(
    'The sessions that are stored: list, read, find, export, delete. Without a subcommand they are listed.',
  );
  const add = subcommandsOf<SessionsCommand>(program, readers, take);

  filtered(add('list', '', 'the sessions, the one used last first'))
    .option('--archived', 'archived ones too')
    .option('--deleted', 'only those that can still be restored')
    .option('--limit <number>', 'at most so many')
    .option('--json', 'as JSON');
  add('show', ' <id>', 'what was said and done in a session')
    .option('--with-secrets', 'credentials too; they are masked otherwise')
    .option('--json', 'as JSON, as export writes it');
  filtered(add('search', ' <words...>', 'finds sessions by what was said in them'))
    .option('--limit <number>', 'at most so many passages (default: 20)')
    .option('--json', 'as JSON');
  add('export', ' <id>', 'writes a session into a file, or to standard output')
    .addOption(
      withChoices(
        new Option(
          '--format <format>',
          `${EXPORT_CHOICES.join(', ')} (default: what the file is called, else markdown)`,
        ),
        EXPORT_CHOICES,
      ),
    )
    .option('-o, --output <file>', 'the file; it must not be there yet')
    .option('--with-secrets', 'credentials too; they are masked otherwise');
  add('import', ' <file>', 'stores an exported session (JSON), to be read');
  add('delete', ' <id...>', 'deletes sessions; they can be restored for a day').option(
    '-y, --yes',
    'without asking',
  );
  add('restore', ' <id...>', 'takes a deletion back');
  return program;
}

function filtered(command: Command): Command {
  return command
    .option('-a, --agent <name>', 'only of agents that are called so')
    .option('-C, --cwd <dir>', 'only of this folder and those in it')
    .option('--newer <age>', 'used within this time: 90m, 12h, 7d, 2w')
    .option('--older <age>', 'not used within this time');
}
