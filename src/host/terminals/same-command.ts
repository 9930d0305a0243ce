import type {ReportedCommand} from '../../session/requests/command-fields.ts';
import {changingVariables, type Variable} from '../../session/requests/variables.ts';
import {type CommandFolder, isShellLine} from './command.ts';
import {isSystemShell, type ProgramLookup} from './system-shell.ts';

/** Maximum number of wrappings that are taken off, and of shells in shells. */
const MAX_WRAPPINGS = 8;

/**
 * Returns a command, and the same command with less and less wrapping around it: a system shell that runs one line, quotes that only a shell reads, and a leading
 * `cd` to the folder in which it runs anyway. Each does exactly the same.
 * @param lookup its `cwd` is that folder, resolved
 */
export function unwrapped(command: ReportedCommand, lookup: ProgramLookup): readonly ReportedCommand[] {
  const all = [command];
  for (let inner = inside(command, lookup); inner !== undefined; inner = inside(inner, lookup)) {
    if (all.length > MAX_WRAPPINGS) return [command];
    all.push(inner);
  }
  return all;
}

/** A command with everything that decides what it does, for comparing what was approved with what is run. */
export interface ExactCommand {
  /** The names under which it is the same as another one: they share one. A line with any shell syntax only equals itself. */
  readonly forms: ReadonlySet<string>;
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
  const forms = unwrapped(command, {cwd: folder.place.path, path}).map((form) => JSON.stringify(form));
  // The last one of a name counts.
  const values = new Map(variables.map(({name, value}) => [name, value]));
  const changing = changingVariables(
    Array.from(values, ([name, value]) => ({name, value})),
    command,
  );
  const env = changing
    .map(({name, value}) => [name, value])
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  return {forms: new Set(forms), folder: folder.identity, env: JSON.stringify(env)};
}

export function isSameCommand(approved: ExactCommand, {forms, folder, env}: ExactCommand): boolean {
  return (
    approved.folder === folder && approved.env === env && [...forms].some((form) => approved.forms.has(form))
  );
}

function inside(command: ReportedCommand, lookup: ProgramLookup): ReportedCommand | undefined {
  if (typeof command === 'string') return withoutFolder(command, lookup) ?? plainWords(command);
  const [shell = '', flag = '', line, ...rest] = command;
  // A relative path may lead to another file when it is used.
  const isShell = (shell.startsWith('/') || !shell.includes('/')) && isSystemShell(shell, lookup);
  return isShell && /^-l?c$/.test(flag) && rest.length === 0 ? line : undefined;
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
