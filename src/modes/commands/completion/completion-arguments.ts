import {Argument, Command, Option} from 'commander';
import {oneOf} from '../../../cli/option-table.ts';
import {readSubcommand, type ReadSubcommand} from '../../../cli/subcommand.ts';

/** Supported shells. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The parsed `acp-tui completion`: a script, or its request to complete the last of these words. */
export type CompletionCommand =
  | {readonly kind: 'script'; readonly shell: Shell}
  | {readonly kind: 'words'; readonly words: readonly string[]};

const HELP = 'acp-tui completion --help';
const shellSchema = oneOf('acp-tui completion', SHELLS);

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
    .addOption(new Option('--words').hideHelp())
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments()
    .addHelpText(
      'after',
      `
Examples:
  echo 'source <(acp-tui completion bash)' >> ~/.bashrc
  acp-tui completion zsh > "\${fpath[1]}/_acp-tui"
  acp-tui completion fish > ~/.config/fish/completions/acp-tui.fish`,
    )
    .action(() => {
      const {args: words} = program;
      if (program.opts()['words']) return take({kind: 'words', words});
      const [shell = '', ...others] = words;
      if (shell === '') program.error('Missing shell: bash, zsh or fish.');
      if (others.length > 0) program.error('Too many arguments: name one shell.');
      take({kind: 'script', shell: shellSchema.parse(shell)});
    });
}
