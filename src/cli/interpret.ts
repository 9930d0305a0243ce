import {PRINT_OPTIONS, readCommandLine} from './program.ts';
import {commonOptions, optionsSchema, type GivenOptions, type PrintOptions} from './options.ts';
import {usageError} from './usage.ts';
import type {TerminalEnvironment, Parsed} from './parsed-arguments.ts';

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
  const isPickedUp = given.continue || given.resume !== undefined;
  return given.fork && !isPickedUp ? '--fork requires --continue or --resume.' : undefined;
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
