import {Command} from 'commander';
import {APPROVAL_LEVELS} from '../../session/actions.ts';
import {choice, repeatable} from '../commander-options.ts';
import {readSubcommand, type ReadSubcommand} from '../subcommand.ts';
import {subcommandsOf} from '../subcommands-of.ts';
import type {AgentsCommand} from './commands.ts';
import {readers} from './options.ts';

/** Reads the arguments behind `acp-tui agents`; writes nothing and never leaves the process. */
export function readAgentsCommand(argv: readonly string[], columns: number): ReadSubcommand<AgentsCommand> {
  return readSubcommand(argv, {columns, help: 'acp-tui agents --help', program: agentsProgram});
}

export function agentsProgram(take: (command: AgentsCommand) => void): Command {
  const program = new Command('acp-tui agents').description(
    'The agents that can be used: list, find, look at, install, add. Without a subcommand they are listed.',
  );
  const add = subcommandsOf<AgentsCommand>(program, readers, take);

  looking(add('list', '', 'agents that were found here, and those of the registry as far as it is known'));
  looking(add('search', ' <words...>', 'finds agents, also in the registry'));
  looking(add('info', ' <name>', 'what is known of an agent, and what it would run'));
  add('add', ' <name> [command...]', 'adds an agent of your own: acp-tui agents add mine -- my-agent --acp')
    .addOption(repeatable('--env <NAME=value>', 'environment for it'))
    .option('--mode <id>', 'its mode in new sessions')
    .option('--model <id>', 'its model in new sessions')
    .addOption(choice('--approve <level>', 'what it may do without asking', APPROVAL_LEVELS))
    .option('--replace', 'in the place of the one that has the name');
  add('remove', ' <name>', 'removes an agent from your settings');
  add('install', ' <name>', 'installs an agent of the registry, after showing what that is')
    .option('--version <version>', "another version than the registry's")
    .option('-y, --yes', 'agree without being asked');
  add('update', ' [name]', 'brings an installed agent, or all, to the version of the registry').option(
    '-y, --yes',
    'agree without being asked',
  );
  add('uninstall', ' <name...>', 'removes agents that were installed');
  return program;
}

function looking(command: Command): Command {
  return command
    .option('--refresh', 'asks the registry now')
    .option('--offline', 'asks nobody')
    .option('--json', 'as JSON');
}
