import {Argument, Command, Option} from 'commander';
import {oneOf} from '../option-table.ts';
import {readSubcommand, type ReadSubcommand} from '../subcommand.ts';

/** Supported shells. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Lists for the completion scripts. */
const LISTS = ['agents', 'own-agents', 'installed-agents', 'sessions', 'settings'] as const;
export type ListName = (typeof LISTS)[number];

/** The parsed `acp-tui completion`. */
export type CompletionCommand =
  {readonly kind: 'script'; readonly shell: Shell} | {readonly kind: 'list'; readonly list: ListName};

const HELP = 'acp-tui completion --help';
const shellSchema = oneOf('acp-tui completion', SHELLS);
const listSchema = oneOf('--list', LISTS);

/** Parses the arguments after `acp-tui completion`; writes nothing and never exits. */
export function readCompletionCommand(
  argv: readonly string[],
  columns: number,
): ReadSubcommand<CompletionCommand> {
  return readSubcommand(argv, {columns, help: HELP, bare: [], program: completionProgram});
}

export function completionProgram(take: (command: CompletionCommand) => void): Command {
  const program = new Command('acp-tui completion');
  return program
    .description('Print a shell completion script: options, subcommands, agents, sessions, settings.')
    .addArgument(new Argument('[shell]', SHELLS.join(', ')))
    .addOption(new Option('--list <what>').hideHelp())
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `
Examples:
  echo 'source <(acp-tui completion bash)' >> ~/.bashrc
  acp-tui completion zsh > "\${fpath[1]}/_acp-tui"
  acp-tui completion fish > ~/.config/fish/completions/acp-tui.fish`,
    )
    .action((shell = '') => {
      const {list} = program.opts();
      if (list === undefined && shell === '') program.error('Missing shell: bash, zsh or fish.');
      take(
        list === undefined
          ? {kind: 'script', shell: shellSchema.parse(shell)}
          : {kind: 'list', list: listSchema.parse(list)},
      );
    });
}
