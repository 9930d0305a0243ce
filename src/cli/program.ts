import {Command, CommanderError} from 'commander';
import {version} from '../shared/version.ts';
import {EXIT_CODES} from './exit-codes.ts';
import {addOptions} from './option-table.ts';
import {
  commonOptions,
  LOG_OPTIONS,
  PRINT_OPTIONS,
  printSchema,
  RUN_OPTIONS,
  runSchema,
  type PrintOptions,
  type PrintValues,
  type RunValues,
} from './options.ts';
import {usageError, usageSentence} from './usage.ts';
import {SUBCOMMANDS, type TerminalEnvironment, type Parsed} from './parsed-arguments.ts';

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
  return addOptions(program, {...RUN_OPTIONS, ...PRINT_OPTIONS, ...LOG_OPTIONS})
    .optionsGroup('Other:')
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help');
}

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
  const [checked, forPrint] = [runSchema.safeParse(line.options), printSchema.safeParse(line.options)];
  const issue = (checked.error ?? forPrint.error)?.issues[0];
  if (!checked.success || !forPrint.success) return usageError(issue?.message ?? 'Invalid option.');
  const {stdinIsTty, stdoutIsTty} = environment;
  const given = checked.data;
  const conflict = resumeConflict(given);
  if (conflict) return usageError(conflict);
  if (!given.mask && given.record === undefined) return usageError('--no-mask requires --record.');
  if (forPrint.data.print || !stdinIsTty || !stdoutIsTty)
    return printRun(given, forPrint.data, line.words, stdinIsTty);
  const flag = printOnlyFlag(forPrint.data, line.words);
  if (flag) return usageError(`${flag} requires -p.`);
  const prompt = line.words.join(' ');
  const options = {...commonOptions(given), prompt: prompt === '' ? undefined : prompt};
  return {kind: 'interactive', options};
}

function resumeConflict(given: RunValues): string | undefined {
  if (given.continue && given.resume !== undefined) return '--continue and --resume cannot be combined.';
  const resumes = given.continue || given.resume !== undefined;
  return given.fork && !resumes ? '--fork requires --continue or --resume.' : undefined;
}

function printRun(
  given: RunValues,
  print: PrintValues,
  words: readonly string[],
  stdinIsTty: boolean,
): Parsed {
  if (given.resume === true) return usageError('--resume requires a session ID in print mode (-p).');
  const prompt = words.filter((word) => word !== '-').join(' ');
  const asked = print.stdin || words.includes('-');
  // An empty argument must not make a run inside a loop wait for standard input.
  const readStdin = asked || (words.length === 0 && !stdinIsTty);
  const {file: files, outputFormat: format = 'text', output, saveContent, timeout: timeoutSeconds} = print;
  if (prompt === '' && !readStdin && files.length === 0)
    return usageError('Missing prompt: pass it as an argument or on standard input.');
  const include = new Set(print.include);
  const own = {prompt, readStdin, files, format, output, saveContent, timeoutSeconds, include};
  const options: PrintOptions = {...commonOptions(given), ...own};
  return {kind: 'print', options};
}

/** Returns the first option that only applies to print mode. */
function printOnlyFlag(given: PrintValues, words: readonly string[]): string | undefined {
  if (words.includes('-')) return 'The argument -';
  const names = Object.keys(PRINT_OPTIONS) as (keyof typeof PRINT_OPTIONS)[];
  const wrong = names.find((name) => isGiven(given[name]));
  return wrong && PRINT_OPTIONS[wrong].option.long;
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}
