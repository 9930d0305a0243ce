import {Command, CommanderError, Option} from 'commander';
import {THEME_NAMES} from '../app/themes.ts';
import {LOG_LEVELS} from '../shared/log-level.ts';
import {APPROVAL_LEVELS} from '../session/actions.ts';
import {version} from '../shared/version.ts';
import {EXIT_CODES} from './exit-codes.ts';
import {INCLUDES, OUTPUT_FORMATS} from './options.ts';
import {choice, repeatable, withChoices} from './subcommand.ts';
import {usageError, usageSentence} from './usage.ts';

/** What commander made of the arguments: options and words, or a text to show and leave with. */
type CommandLine =
  | {readonly kind: 'arguments'; readonly options: Record<string, unknown>; readonly words: readonly string[]}
  | {readonly kind: 'message'; readonly text: string; readonly exitCode: number};

/** Reads the arguments; writes nothing and never leaves the process. */
export function readCommandLine(argv: readonly string[], columns: number): CommandLine {
  let text = '';
  const program = mainProgram();
  program.exitOverride();
  program.configureOutput({
    writeOut: (chunk) => (text += chunk),
    writeErr: () => {},
    getOutHelpWidth: () => columns,
    getOutHasColors: () => false,
  });
  try {
    program.parse(argv, {from: 'user'});
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return {kind: 'message', text, exitCode: 0};
    return usageError(usageSentence(error.message));
  }
  return {kind: 'arguments', options: program.opts(), words: program.args};
}

export function mainProgram(): Command {
  const program = new Command('acp-tui')
    .usage('[options] [prompt…]\n       acp-tui -p [options] [prompt…]')
    .description(
      'A terminal chat for any coding agent that speaks the Agent Client Protocol. With -p, or when standard input or output is not a terminal: one prompt, no screen.',
    )
    .argument('[prompt...]', 'sent first; with -p the only one')
    .allowExcessArguments()
    .addHelpText('after', afterHelp());
  addAgentOptions(program);
  addSessionOptions(program);
  addScreenOptions(program);
  addPrintOptions(program);
  program
    .optionsGroup('Other:')
    .addOption(choice('--log-level <level>', 'how much goes to our log', LOG_LEVELS))
    .option('--log-file <file>', 'where our log goes (default: the state folder)')
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help');
  for (const {flags} of RESERVED_OPTIONS) program.addOption(new Option(flags).hideHelp());
  return program;
}

function addAgentOptions(program: Command): void {
  program
    .optionsGroup('Agent:')
    .option(
      '-a, --agent <agent>',
      'a command line, a name, or "demo" (default: the last one used; at first you choose, and without a screen it is demo)',
    )
    .addOption(repeatable('--env <NAME=value>', 'environment for the agent'))
    .option('--auth <method>', 'sign in with this method first')
    .option('--no-fs', 'do not offer the agent our files')
    .option('--no-terminal', 'do not offer the agent our commands');
}

function addSessionOptions(program: Command): void {
  program
    .optionsGroup('Session:')
    .option('-C, --cwd <dir>', 'working folder')
    .addOption(repeatable('--add-dir <dir>', 'one more folder that the agent may use'))
    .option('-c, --continue', 'go on with the newest session of the folder')
    .option('-r, --resume [id]', 'go on with that session; without an id, choose one from a list')
    .option('--fork', 'with one of these: go on with a copy')
    .addOption(repeatable('--mcp-config <file>', 'MCP servers for the agent, as other clients have them'))
    .option('--mode <id>', 'session mode')
    .option('--model <id>', 'model')
    .addOption(repeatable('--set <option=value>', 'any other option of the session'))
    .addOption(
      choice(
        '--approve <level>',
        'what is allowed without asking (default: none; without a screen reads)',
        APPROVAL_LEVELS,
      ),
    )
    .option('--no-save', 'keep nothing of this session, nor what is typed')
    .option('--record <file>', 'add every message of the protocol to this recording')
    .option('--no-mask', 'leave credentials in the recording');
}

function addScreenOptions(program: Command): void {
  program
    .optionsGroup('Screen:')
    .option('--inline', "draw into the terminal's own scrollback (the default)")
    .addOption(choice('--theme <name>', 'colours', THEME_NAMES))
    .option('--no-color', 'no colours');
}

function addPrintOptions(program: Command): void {
  program
    .optionsGroup('Without a screen:')
    .option('-p, --print', 'one prompt, no screen; what the agent may not do without asking is refused')
    .option('--stdin', 'standard input follows the arguments (as does the argument -)')
    .addOption(repeatable('-f, --file <path>', 'attach a file'))
    .addOption(choice('--output-format <format>', 'what stdout gets (default: text)', OUTPUT_FORMATS))
    .option('-o, --output <file>', 'the last message also into a file')
    .option('--timeout <seconds>', 'cancel after this time, then leave')
    .addOption(
      withChoices(
        repeatable('--include <what>', `also on stderr: ${INCLUDES.join(', ')} (comma-separated)`).argParser(
          (value: string, before: string[] | undefined) => [...(before ?? []), ...value.split(',')],
        ),
        INCLUDES,
      ),
    );
}

function afterHelp(): string {
  const codes = EXIT_CODES.map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`);
  return `
Examples:
  acp-tui                                   chat with the agent used last
  acp-tui --agent "npx some-agent --acp"    chat with any ACP agent
  acp-tui -p "what does this project do?"   one answer on stdout
  git diff | acp-tui -p --stdin "review"    standard input follows the prompt
  acp-tui agents --help                     list, find and add agents
  acp-tui doctor "npx some-agent --acp"     what an agent can do, and what of it works
  acp-tui sessions --help                   list, read, find, export and delete what is stored
  acp-tui config --help                     list, read and change settings
  acp-tui completion --help                 let your shell complete all of this

Exit codes of a run without a screen (the first that applies: a signal, 3, 6, 4, 1, 7, 8, 5, 0):
${codes.join('\n')}`;
}

/** Options that are reserved: known by name, so that they never end up inside a prompt, and said to be missing. */
const RESERVED_OPTIONS: readonly {readonly flags: string; readonly name: string}[] = [
  {flags: '--fullscreen', name: 'fullscreen'},
  {flags: '--screen-reader', name: 'screenReader'},
];

/** Says that a reserved option is missing. */
export function reservedOption(given: Readonly<Record<string, unknown>>): string | undefined {
  const option = RESERVED_OPTIONS.find(({name}) => given[name] !== undefined);
  if (!option) return undefined;
  const long = /--[a-z-]+/.exec(option.flags)?.[0] ?? option.flags;
  return `This version does not have ${long} yet; leave it out.`;
}
