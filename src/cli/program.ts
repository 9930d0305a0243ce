import {Command, CommanderError, Option} from 'commander';
import {THEME_NAMES} from '../app/themes/themes.ts';
import {LOG_LEVELS} from '../shared/log-level.ts';
import {APPROVAL_LEVELS} from '../session/actions.ts';
import {version} from '../shared/version.ts';
import {EXIT_CODES} from './exit-codes.ts';
import {
  INCLUDES,
  OUTPUT_FORMATS,
  PROTOCOL_VERSIONS,
  type GivenOptions,
  commonOptions,
  optionsSchema,
  type PrintOptions,
} from './options.ts';
import {choice, repeatable, withChoices} from './subcommand.ts';
import {usageError, usageSentence} from './usage.ts';
import type {TerminalEnvironment, Parsed, SubcommandName} from './parsed-arguments.ts';

/** The result of commander: options and words, or a text to print before exiting. */
type CommandLine =
  | {readonly kind: 'arguments'; readonly options: Record<string, unknown>; readonly words: readonly string[]}
  | {readonly kind: 'message'; readonly text: string; readonly exitCode: number};

/** Parses the arguments; writes nothing and never exits. */
function readCommandLine(argv: readonly string[], columns: number): CommandLine {
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
      'A terminal client for ACP coding agents. With -p, or when standard input or output is not a terminal: print mode (one prompt, no screen).',
    )
    .argument('[prompt...]', 'first prompt; with -p the only one')
    .allowExcessArguments()
    // The longest option leaves less room for its description than the default.
    .configureHelp({minWidthToWrap: 30})
    .addHelpText('after', afterHelp());
  for (const option of Object.values(OPTIONS)) program.addOption(option);
  return program
    .optionsGroup('Other:')
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help');
}

function group<Name extends string>(
  heading: string,
  options: Readonly<Record<Name, Option>>,
): Readonly<Record<Name, Option>> {
  for (const option of Object.values<Option>(options)) option.helpGroup(heading);
  return options;
}

/** Options that only apply to print mode. */
const PRINT_OPTIONS = group('Print mode:', {
  print: new Option('-p, --print', 'non-interactive: print the answer and exit; what would ask is rejected'),
  stdin: new Option('--stdin', 'add standard input after the arguments (as does the argument -)'),
  file: repeatable('-f, --file <path>', 'attach a file'),
  outputFormat: choice('--output-format <format>', 'format of stdout (default: text)', OUTPUT_FORMATS),
  output: new Option('-o, --output <file>', 'also write the last message to a file'),
  saveContent: new Option('--save-content <dir>', 'write the images and files of the answer there'),
  timeout: new Option('--timeout <seconds>', 'cancel after this time and exit'),
  include: withChoices(
    repeatable(
      '--include <what>',
      `also print to stderr: ${INCLUDES.join(', ')} (comma-separated)`,
    ).argParser((value: string, before: string[] | undefined) => [...(before ?? []), ...value.split(',')]),
    INCLUDES,
  ),
});

/** All options of a run, by their names in the schema, in the order of the help; a missing one fails the type check. */
const OPTIONS: Readonly<Record<keyof GivenOptions, Option>> = {
  ...group('Agent:', {
    agent: new Option(
      '-a, --agent <agent>',
      'command line, name or URL (default: the last one used; the first start asks, print mode uses demo)',
    ),
    env: repeatable('--env <NAME=value>', 'environment variable for the agent'),
    auth: new Option('--auth <method>', 'sign in with this method first'),
    protocol: choice(
      '--protocol <version>',
      'version of the protocol; 2 is a draft (default: 1)',
      PROTOCOL_VERSIONS,
    ),
    fs: new Option('--no-fs', 'do not offer file access to the agent'),
    terminal: new Option('--no-terminal', 'do not offer commands to the agent'),
  }),
  ...group('Session:', {
    cwd: new Option('-C, --cwd <dir>', 'working folder'),
    addDir: repeatable('--add-dir <dir>', 'add a folder to the workspace'),
    continue: new Option('-c, --continue', 'resume the newest session of the folder'),
    resume: new Option('-r, --resume [id]', 'resume a session; without an ID, select one from a list'),
    fork: new Option('--fork', 'with one of these: fork the session'),
    mcpConfig: repeatable('--mcp-config <file>', 'MCP config file (the mcpServers format)'),
    systemPrompt: new Option('--system-prompt <text>', "replace the agent's own instructions"),
    appendSystemPrompt: new Option('--append-system-prompt <text>', "add to the agent's own instructions"),
    mode: new Option('--mode <id>', 'session mode'),
    model: new Option('--model <id>', 'model'),
    set: repeatable('--set <option=value>', 'set any other option of the agent'),
    approve: choice(
      '--approve <level>',
      'what is auto-approved (default: none; with -p: reads)',
      APPROVAL_LEVELS,
    ),
    save: new Option('--no-save', 'store nothing: no session, drafts or history'),
    record: new Option('--record <file>', 'record every protocol message to this file'),
    mask: new Option('--no-mask', 'keep credentials in the recording'),
  }),
  ...group('Screen:', {
    inline: new Option('--inline', "draw in the terminal's own scrollback (the default)"),
    fullscreen: new Option('--fullscreen', 'use the full screen, with a scrollable transcript'),
    screenReader: new Option('--screen-reader', 'print lines for screen readers, without redrawing'),
    theme: choice('--theme <name>', 'color theme', THEME_NAMES),
    color: new Option('--no-color', 'no colors'),
  }),
  ...PRINT_OPTIONS,
  ...group('Other:', {
    logLevel: choice('--log-level <level>', 'log level', LOG_LEVELS),
    logFile: new Option('--log-file <file>', 'log file (default: in the state folder)'),
  }),
};

/** What each subcommand does, in the order of the help; a missing one fails the type check. */
const SUBCOMMANDS: Readonly<Record<SubcommandName, string>> = {
  agents: 'list, search, install and add agents',
  sessions: 'list, read, search and export sessions',
  review: 'print what changed in a folder',
  config: 'list, show and change settings',
  doctor: 'test what an agent can do, and this installation',
  serve: 'serve an agent over WebSocket and HTTP',
  replay: 'play a recording, or serve it as an agent',
  inspect: 'show the messages of a recording',
  completion: 'print a script for shell completion',
};

function afterHelp(): string {
  const subcommands = Object.entries(SUBCOMMANDS).map(([name, does]) => `  ${name.padEnd(12)}${does}`);
  const codes = EXIT_CODES.map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`);
  return `
Examples:
  acp-tui                                   chat with the agent used last
  acp-tui --agent "npx some-agent --acp"    chat with any ACP agent
  acp-tui -p "what does this project do?"   one answer on stdout
  git diff | acp-tui -p --stdin "review"    standard input follows the prompt

Subcommands (acp-tui <subcommand> --help shows more):
${subcommands.join('\n')}

Exit codes with -p (the first that applies: a signal, 3, 6, 4, 1, 7, 8, 5, 0):
${codes.join('\n')}`;
}

/** Parses the arguments with commander, validates them with zod, and decides what to run. */
export function interpret(argv: readonly string[], environment: TerminalEnvironment): Parsed {
  const line = readCommandLine(argv, environment.columns ?? 80);
  if (line.kind === 'message') return line;
  const checked = optionsSchema.safeParse(line.options);
  if (!checked.success) return usageError(checked.error.issues[0]?.message ?? 'Invalid option.');
  const {stdinIsTty, stdoutIsTty} = environment;
  const given = checked.data;
  const conflict = resumeConflict(given);
  if (conflict) return usageError(conflict);
  if (!given.mask && given.record === undefined) return usageError('--no-mask requires --record.');
  return given.print || !stdinIsTty || !stdoutIsTty
    ? printRun(given, line.words, stdinIsTty)
    : interactiveRun(given, line.words);
}

function resumeConflict(given: GivenOptions): string | undefined {
  if (given.continue && given.resume !== undefined) return '--continue and --resume cannot be combined.';
  const resumes = given.continue || given.resume !== undefined;
  return given.fork && !resumes ? '--fork requires --continue or --resume.' : undefined;
}

function interactiveRun(given: GivenOptions, words: readonly string[]): Parsed {
  const flag = printOnlyFlag(given, words);
  if (flag) return usageError(`${flag} requires -p.`);
  const prompt = words.join(' ');
  return {
    kind: 'interactive',
    options: {...commonOptions(given), prompt: prompt === '' ? undefined : prompt},
  };
}

function printRun(given: GivenOptions, words: readonly string[], stdinIsTty: boolean): Parsed {
  if (given.resume === true) return usageError('--resume requires a session ID in print mode (-p).');
  const prompt = words.filter((word) => word !== '-').join(' ');
  const asked = given.stdin || words.includes('-');
  // An empty argument must not make a run inside a loop wait for standard input.
  const readStdin = asked || (words.length === 0 && !stdinIsTty);
  if (prompt === '' && !readStdin && given.file.length === 0) {
    return usageError('Missing prompt: pass it as an argument or on standard input.');
  }
  const options: PrintOptions = {
    ...commonOptions(given),
    prompt,
    readStdin,
    files: given.file,
    format: given.outputFormat ?? 'text',
    output: given.output,
    saveContent: given.saveContent,
    timeoutSeconds: given.timeout,
    include: new Set(given.include),
  };
  return {kind: 'print', options};
}

/** Returns the first option that only applies to print mode. */
function printOnlyFlag(given: GivenOptions, words: readonly string[]): string | undefined {
  if (words.includes('-')) return 'The argument -';
  const names = Object.keys(PRINT_OPTIONS) as (keyof typeof PRINT_OPTIONS)[];
  const wrong = names.find((name) => isGiven(given[name]));
  return wrong && PRINT_OPTIONS[wrong].long;
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}
