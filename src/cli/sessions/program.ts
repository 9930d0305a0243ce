import {Command, CommanderError, Option} from 'commander';
import * as z from 'zod/mini';
import {EXPORT_NAMES} from '../../export/format.ts';
import {usageError, usageSentence} from '../usage.ts';
import type {SessionsCommand} from './commands.ts';
import {readers} from './options.ts';

type Read =
  | {readonly kind: 'sessions'; readonly command: SessionsCommand}
  | {readonly kind: 'message'; readonly text: string; readonly exitCode: number};

/** Reads the arguments behind `acp-tui sessions`; writes nothing and never leaves the process. */
export function readSessionsCommand(argv: readonly string[], columns: number): Read {
  let text = '';
  let read: SessionsCommand | undefined;
  const program = createProgram((command) => (read = command));
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (chunk) => (text += chunk),
      writeErr: () => {},
      getOutHelpWidth: () => columns,
      getOutHasColors: () => false,
    });
  }
  try {
    program.parse(argv.length === 0 ? ['list'] : argv, {from: 'user'});
  } catch (error) {
    if (error instanceof z.core.$ZodError) {
      return usageError(error.issues[0]?.message ?? 'An option is wrong.', HELP);
    }
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return {kind: 'message', text, exitCode: 0};
    return usageError(usageSentence(error.message), HELP);
  }
  return read ? {kind: 'sessions', command: read} : usageError('There is no such subcommand.', HELP);
}

const HELP = 'acp-tui sessions --help';

function createProgram(take: (command: SessionsCommand) => void): Command {
  const program = new Command('acp-tui sessions').description(
    'The sessions that are stored: list, read, find, export, delete. Without a subcommand they are listed.',
  );
  const add = (kind: SessionsCommand['kind'], words: string, description: string): Command => {
    const command = program.command(`${kind}${words}`).description(description);
    return command.action(() => take(readers[kind](command.args, command.opts())));
  };

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
      new Option(
        '--format <format>',
        `${EXPORT_NAMES.join(', ')} (default: what the file is called, else markdown)`,
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
