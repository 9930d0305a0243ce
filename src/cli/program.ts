import {Command} from 'commander';
import {closest} from 'fastest-levenshtein';
import {isSpelledLike} from '../shared/spelling.ts';
import {version} from '../shared/version.ts';
import {EXIT_CODES} from './exit-codes.ts';
import {addOptions} from './option-table.ts';
import {
  commonOptions,
  type CommonOptions,
  INCLUDES,
  LOG_OPTIONS,
  PRINT_OPTIONS,
  printSchema,
  RUN_OPTIONS,
  runSchema,
  type PrintOptions,
  type PrintValues,
  type RunValues,
} from './options.ts';
import {quoteWords} from '../text/shell-quote.ts';
import {readSubcommand} from './subcommand.ts';
import {usageError} from './usage.ts';
import {WORKTREE_NAME} from '../worktrees/worktree-name.ts';
import {
  SUBCOMMANDS,
  type ParsedArguments,
  type SubcommandName,
  type TerminalEnvironment,
} from './parsed-arguments.ts';

interface CommandLine {
  readonly options: Readonly<Record<string, unknown>>;
  readonly words: readonly string[];
}

export function mainProgram(take: (line: CommandLine) => void = () => {}): Command {
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
    .helpOption('-h, --help', 'show this help')
    .action(() => take({options: program.opts(), words: program.args}));
}

/** What most users never need. */
const FOR_DEVELOPERS: ReadonlySet<string> = new Set(['doctor', 'service', 'serve', 'replay', 'inspect']);

function afterHelp(): string {
  const subcommands = (forDevelopers: boolean) =>
    Object.entries(SUBCOMMANDS)
      .filter(([name]) => FOR_DEVELOPERS.has(name) === forDevelopers)
      .map(([name, does]) => `  ${name.padEnd(12)}${does}`)
      .join('\n');
  const codes = EXIT_CODES.map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`);
  return `
Examples:
  acp-tui                                   chat with the agent used last
  acp-tui --agent "npx some-agent --acp"    chat with any ACP agent
  acp-tui -p "what does this project do?"   one answer on stdout
  git diff | acp-tui -p "review"            standard input follows the prompt

Subcommands (acp-tui <subcommand> --help shows more):
${subcommands(false)}

For agent developers:
${subcommands(true)}

More: acp-tui help command-line has every option; acp-tui help lists the pages.

Exit codes with -p (the first that applies: a signal, 3, 6, 4, 1, 7, 8, 5, 0):
${codes.join('\n')}`;
}

/** Parses the arguments with commander, validates them with zod, and decides what to run. */
export function interpret(argv: readonly string[], environment: TerminalEnvironment): ParsedArguments {
  const {columns = 80, stdinIsTty, stdoutIsTty} = environment;
  const help = 'acp-tui --help';
  const line = readSubcommand<CommandLine>(argv, {columns, help, bare: [], program: mainProgram});
  if (line.kind === 'message') return line;
  const {options: typed, words} = withPromptOfWorktree(line.command);
  const [checked, forPrint] = [runSchema.safeParse(typed), printSchema.safeParse(typed)];
  const issue = (checked.error ?? forPrint.error)?.issues[0];
  if (!checked.success || !forPrint.success) return usageError(issue?.message ?? 'Invalid option.');
  const values = checked.data;
  const conflict = resumeConflict(values) ?? worktreeConflict(values);
  if (conflict) return usageError(conflict);
  if (values.inline && values.fullscreen) return usageError('--inline and --fullscreen cannot be combined.');
  if (!values.mask && values.record === undefined) return usageError('--no-mask requires --record.');
  if (values.wait && !values.background) return usageError('--wait requires --background.');
  if (values.background && forPrint.data.print) return usageError('--background and -p cannot be combined.');
  if (!values.background && (forPrint.data.print || !stdinIsTty || !stdoutIsTty))
    return printRun(values, forPrint.data, words, stdinIsTty);
  const {data: print} = forPrint;
  const flag = printOnlyFlag(print, words, values.background);
  if (flag && values.background) return usageError(`${flag} and --background cannot be combined.`);
  if (flag) return usageError(`${flag} requires -p.`);
  if (values.background && values.resume === true)
    return usageError('--resume requires a session ID with --background.');
  if (values.background && values.record !== undefined)
    return usageError('--record and --background cannot be combined.');
  const prompt = promptOf(words);
  const options = {...optionsWith(values, prompt), prompt: prompt === '' ? undefined : prompt};
  return values.background
    ? {kind: 'background', options: {...options, readStdin: asksForStdin(print, words)}}
    : {kind: 'interactive', options};
}

/** What follows --worktree is a prompt if it has a blank, which no name has. */
function withPromptOfWorktree({options, words}: CommandLine): CommandLine {
  const {worktree} = options;
  if (typeof worktree !== 'string' || !/\s/.test(worktree)) return {options, words};
  return {options: {...options, worktree: true}, words: [worktree, ...words]};
}

function worktreeConflict({worktree, addDir, ...values}: RunValues): string | undefined {
  if (worktree === undefined) return undefined;
  if (values.continue || values.resume !== undefined)
    return '--worktree starts a new session; it cannot be combined with --continue and --resume.';
  if (addDir.length > 0) return '--worktree and --add-dir cannot be combined.';
  return worktree === true || WORKTREE_NAME.test(worktree)
    ? undefined
    : `--worktree must be a name of letters, digits, ".", "_" and "-", not ${JSON.stringify(worktree)}.`;
}

/** Returns the options of a run; a worktree without a name gets one from the prompt. */
function optionsWith(values: RunValues, prompt: string): CommonOptions {
  const options = commonOptions(values);
  const {worktree} = options;
  return worktree && prompt !== '' ? {...options, worktree: {...worktree, prompt}} : options;
}

function resumeConflict(values: RunValues): string | undefined {
  if (values.continue && values.resume !== undefined) return '--continue and --resume cannot be combined.';
  const resumes = values.continue || values.resume !== undefined;
  return values.fork && !resumes ? '--fork requires --continue or --resume.' : undefined;
}

function printRun(
  values: RunValues,
  print: PrintValues,
  words: readonly string[],
  stdinIsTty: boolean,
): ParsedArguments {
  if (values.resume === true) return usageError('--resume requires a session ID in print mode (-p).');
  const prompt = promptOf(words);
  // An empty argument must not make a run inside a loop wait for standard input.
  const {file: files, outputFormat: format = 'text', output, saveContent, timeout: timeoutSeconds} = print;
  const readStdin = asksForStdin(print, words) || (words.length === 0 && files.length === 0 && !stdinIsTty);
  if (prompt === '' && !readStdin && files.length === 0)
    return usageError('Missing prompt: pass it as an argument or on standard input.');
  const include = new Set(print.verbose ? INCLUDES : print.include);
  const own = {prompt, readStdin, files, format, output, saveContent, timeoutSeconds, include};
  const options: PrintOptions = {...optionsWith(values, prompt), ...own};
  return {kind: 'print', options};
}

const promptOf = (words: readonly string[]) => words.filter((word) => word !== '-').join(' ');

function asksForStdin({stdin}: PrintValues, words: readonly string[]): boolean {
  return stdin || words.includes('-');
}

/** Returns the first option that only applies to print mode; standard input can be sent to the background, too. */
function printOnlyFlag(
  values: PrintValues,
  words: readonly string[],
  inBackground: boolean,
): string | undefined {
  if (words.includes('-') && !inBackground) return 'The argument -';
  const names = Object.keys(PRINT_OPTIONS) as (keyof typeof PRINT_OPTIONS)[];
  const wrong = names.find((name) => isGiven(values[name]) && !(name === 'stdin' && inBackground));
  return wrong && PRINT_OPTIONS[wrong].option.long;
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/** Returns the subcommand that a word may be meant for. A word with a capital is how a sentence begins, and "hello" is no "help": that has only its letters. */
export function similarSubcommand(word: string): SubcommandName | undefined {
  if (!/^[a-z]+$/.test(word)) return undefined;
  if (/^[help]{3,4}$/.test(word) && new Set(word).size === word.length) return 'help';
  const names = Object.keys(SUBCOMMANDS).filter((name) => name !== 'help');
  const name = closest(word, names) as SubcommandName;
  return isSpelledLike(word, name) ? name : undefined;
}

/** Says what was probably meant, and how the typed words are sent as a prompt. */
export function mistypedText(meant: readonly string[], typed: readonly string[]): string {
  const command = quoteWords(['acp-tui', ...meant]);
  const prompt = quoteWords(['acp-tui', '--', ...typed]);
  return `acp-tui: Unknown subcommand "${typed[0]}". Did you mean: ${command}\nTo send it as a prompt: ${prompt}\n`;
}
