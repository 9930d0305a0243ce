import type {ReportedCommand} from '../../session/requests/command-fields.ts';
import {changingVariables, type Variable} from '../../session/requests/variables.ts';
import {type CommandFolder, isShellLine} from './command.ts';
import {isSystemShell, type ProgramLookup} from './system-shell.ts';

/** Maximum number of wrappings that are taken off, and of shells in shells. */
const MAX_WRAPPINGS = 8;

/**
 * Returns a command, and the same command with less and less wrapping around it: a system shell that runs one line, quotes that only a shell reads, and a leading
 * `cd` to the folder in which it runs anyway. None does anything else; only options of the shell that end a line early may make it do less.
 * @param lookup its `cwd` is that folder, resolved
 */
export function unwrapCommand(command: ReportedCommand, lookup: ProgramLookup): readonly ReportedCommand[] {
  return layersOf(command, lookup).map(({form}) => form);
}

interface Layer {
  readonly form: ReportedCommand;
  /** True if it may do more than the whole: a shell around it ends it at the first failure. */
  readonly isLooser: boolean;
}

function layersOf(command: ReportedCommand, lookup: ProgramLookup): readonly Layer[] {
  const whole = {form: command, isLooser: false};
  const all: Layer[] = [whole];
  for (let inner = inside(command, lookup); inner !== undefined; inner = inside(inner.form, lookup)) {
    if (all.length > MAX_WRAPPINGS) return [whole];
    all.push({...inner, isLooser: inner.isLooser || all.some(({isLooser}) => isLooser)});
  }
  return all;
}

/** A command with everything that decides what it does, for comparing what was approved with what is run. */
export interface ExactCommand {
  /** The names under which it is the same as an approved one. A line with any shell syntax only equals itself. */
  readonly forms: ReadonlySet<string>;
  /** Those of them that may be approved with it: what does not do more. */
  readonly approvedForms: ReadonlySet<string>;
  /** See `CommandFolder`. */
  readonly folder: string;
  /** The variables that may change it; equal only for the same names and values. */
  readonly env: string;
}

export function exactCommand(
  command: ReportedCommand,
  {
    variables,
    folder,
    path,
  }: {
    readonly variables: readonly Variable[];
    readonly folder: CommandFolder;
    readonly path: string | undefined;
  },
): ExactCommand {
  const layers = layersOf(command, {cwd: folder.place.path, path});
  const formsOf = (some: readonly Layer[]) => new Set(some.map(({form}) => JSON.stringify(form)));
  // The last one of a name counts.
  const values = new Map(variables.map(({name, value}) => [name, value]));
  const changing = changingVariables(
    Array.from(values, ([name, value]) => ({name, value})),
    command,
  );
  const env = changing
    .map(({name, value}) => [name, value])
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  return {
    forms: formsOf(layers),
    approvedForms: formsOf(layers.filter(({isLooser}) => !isLooser)),
    folder: folder.identity,
    env: JSON.stringify(env),
  };
}

export function isSameCommand(approved: ExactCommand, {forms, folder, env}: ExactCommand): boolean {
  return (
    approved.folder === folder &&
    approved.env === env &&
    [...forms].some((form) => approved.approvedForms.has(form))
  );
}

function inside(command: ReportedCommand, lookup: ProgramLookup): Layer | undefined {
  if (typeof command === 'string') {
    const form = withoutFolder(command, lookup) ?? plainWords(command);
    return form === undefined ? undefined : {form, isLooser: false};
  }
  const [shell = '', ...words] = command;
  // A relative path may lead to another file when it is used.
  const isShell = (shell.startsWith('/') || !shell.includes('/')) && isSystemShell(shell, lookup);
  return isShell ? lineOf(words) : undefined;
}

/**
 * Options of a shell that run nothing but the line: a login, no start-up files, and an end at the first failure. Not those that read other files or input (`-i`,
 * `-s`, `--rcfile`), give a line another meaning (`-f`, `-O`, `--posix`), do not run it (`-n`) or print it (`-v`, and `-x`, which runs what `PS4` has).
 */
const SHORT = /^-[celu]*o?$/;
const LONG: ReadonlySet<string> = new Set(['--login', '--noprofile', '--norc']);
/** What may follow `-o`. */
const NAMED: ReadonlySet<string> = new Set(['errexit', 'nounset', 'pipefail']);

/** Returns the line of `-c` in the words behind a shell, however its options are spelled; undefined if they are anything else. */
function lineOf(words: readonly string[]): Layer | undefined {
  let hasLine = false;
  let endsEarly = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const isEnd = word === '--' || word === '-';
    if (isEnd || !/^[-+]/.test(word)) {
      const [form, ...rest] = words.slice(isEnd ? at + 1 : at);
      if (!hasLine || form === undefined || rest.length > 0) return undefined;
      return {form, isLooser: endsEarly && plainWords(form) === undefined};
    }
    if (LONG.has(word)) continue;
    if (!SHORT.test(word) || (word.endsWith('o') && !NAMED.has(words[++at] ?? ''))) return undefined;
    hasLine ||= word.includes('c');
    endsEarly ||= /[euo]/.test(word);
  }
  return undefined;
}

/** A word without a meaning for a shell other than itself: plain characters, and single quotes with anything in them. */
const WORD = String.raw`(?:[\w@%+:,./-]|'[^']*'|\\'|"'")+`;
const WORDS = new RegExp(`^ *${WORD}(?: +${WORD})* *$`);
const IN_FOLDER = new RegExp(`^ *cd +(${WORD}) *&& *(?=[^\\s&|;)])`);

function withoutFolder(line: string, {cwd}: ProgramLookup): string | undefined {
  const [change, folder = ''] = IN_FOLDER.exec(line) ?? [];
  return change !== undefined && meant(folder) === cwd ? line.slice(change.length) : undefined;
}

/** Returns the words that a shell makes of a line; undefined if it has any other syntax. */
function plainWords(line: string): readonly string[] | undefined {
  if (WORDS.test(line)) return [...line.matchAll(new RegExp(WORD, 'g'))].map(([word]) => meant(word));
  return isShellLine({command: line}) ? undefined : [line];
}

/** Returns what a shell makes of a word. */
function meant(word: string): string {
  return word.replaceAll(/'([^']*)'|\\(')|"(')"/g, (_, ...parts: (string | undefined)[]) =>
    parts
      .slice(0, 3)
      .map((part) => part ?? '')
      .join(''),
  );
}
