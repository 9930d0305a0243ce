import {basename} from 'node:path/posix';
import type {CommandPart, CommandParts} from '../commands.ts';
import type {WordText} from '../shell-parser.ts';

/** What a command writes, deletes or changes the mode of, besides the files that its words name. */
interface WriteTargets {
  /** Words that name files it writes to. */
  readonly targets: readonly WordText[];
  /** Folders into which it writes whole trees, with names that do not appear in the command. */
  readonly spreads: readonly WordText[];
  /** Protected paths that it writes without naming them. */
  readonly unnamed: readonly string[];
}

/** Which words of a program are write targets. */
interface Writer {
  readonly words: 'all' | 'last' | 'none';
  /** It writes only with one of these words. */
  readonly only?: RegExp;
  /** Options with a target as separate or joined value. */
  readonly targets?: readonly string[];
  /** Options with another kind of value. */
  readonly others?: readonly string[];
  /** Its first word is a script, unless an option passes that. */
  readonly hasScript?: boolean;
  /** Words with which it writes or changes whole trees. */
  readonly spreads?: RegExp;
  /** Without a target it writes into its working folder. */
  readonly isHere?: boolean;
}

const INTO = ['-t', '--target-directory'];
const TREE = /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)$/;
const COPIES: Writer = {words: 'last', targets: INTO, spreads: TREE};
const PLACES: Writer = {words: 'last', targets: INTO};
const CHANGES: Writer = {words: 'all', spreads: TREE};
const UNPACKS: Writer = {
  words: 'none',
  targets: ['-C', '--directory'],
  only: /^-?[a-zA-Z]*x|^--(?:extract|get)$/,
  spreads: /^/,
  isHere: true,
};
const EDITS: Writer = {
  words: 'all',
  only: /^-(?!-)[a-zA-Z]*i|^--in-place/,
  others: ['-e', '-E', '-f', '--expression', '--file'],
  hasScript: true,
};

const WRITERS: ReadonlyMap<string, Writer> = new Map([
  ['cp', COPIES],
  ['scp', COPIES],
  ['rsync', {words: 'last', spreads: /^/}],
  ['mv', PLACES],
  ['ln', PLACES],
  ['link', PLACES],
  ['install', PLACES],
  ['tee', {words: 'all'}],
  ['sponge', {words: 'all'}],
  ['sed', EDITS],
  ['perl', EDITS],
  ['touch', {words: 'all', others: ['-d', '-r', '-t', '--date', '--reference']}],
  ['truncate', {words: 'all', others: ['-r', '-s', '--reference', '--size']}],
  ['rm', CHANGES],
  ['unlink', CHANGES],
  ['shred', CHANGES],
  // A mode or owner that only the shell can expand is asked about, too: it may begin with `-`, like an option.
  ['chmod', CHANGES],
  ['chown', CHANGES],
  ['chgrp', CHANGES],
  ['dd', {words: 'none', targets: ['of']}],
  ['curl', {words: 'none', targets: ['-o', '--output', '--output-dir']}],
  ['wget', {words: 'none', targets: ['-O', '-o', '-P', '--output-document', '--directory-prefix']}],
  ['tar', UNPACKS],
  ['bsdtar', UNPACKS],
  ['unzip', {words: 'none', targets: ['-d'], spreads: /^/, isHere: true}],
]);

/** Number of words in which the program's name may be preceded by others. */
const MAX_STARTERS = 6;

/** Programs whose subcommands write a protected path implicitly. */
interface Setter {
  readonly program: RegExp;
  /** Matches the words after the program, joined by single blanks. */
  readonly words: RegExp;
  readonly place: string;
}

/** Options before the subcommand, some with a value; written so that no text matches in two ways, which would take exponential time. */
const GIT_TAKES = '-C|-c|--git-dir|--work-tree|--namespace';
const GIT_OPTIONS = `(?:(?:${GIT_TAKES}) \\S+ |(?!(?:${GIT_TAKES}) )-\\S+ )*`;
const GIT_READS =
  '(?:--\\S+ )*(?:--get(?:-all|-regexp|-urlmatch|-color(?:bool)?)?|--list|-l|get|list)(?: |$)';
const GIT_HARMLESS =
  '(?:--\\S+ |set )*(?:user\\.(?:name|email)|init\\.defaultbranch|pull\\.rebase|push\\.default|core\\.autocrlf)(?: |$)';

const SETTERS: readonly Setter[] = [
  {
    program: /^git$/,
    // With a single word, `git config` reads.
    words: new RegExp(
      `^${GIT_OPTIONS}config (?!${GIT_READS}|${GIT_HARMLESS}|(?:--(?:global|local|system|worktree) )*\\S+$)`,
      'i',
    ),
    place: 'the settings of git',
  },
  {
    program: /^acp-tui(?:\.js)?$/,
    words: /^(?:-\S+ )*(?:config (?:set|unset|edit)|agents (?:install|update|remove))\b/,
    place: 'the settings of acp-tui',
  },
  {
    program: /^(?:npm|pnpm|yarn|pip3?)$/,
    words: /^(?:-\S+ )*(?:config (?:set|delete|edit|unset)|set )/,
    place: 'the settings of a package manager',
  },
  {program: /^direnv$/, words: /^(?:allow|permit|grant)\b/, place: 'what runs when a folder is entered'},
  {
    program: /^(?:claude|codex|gemini|qwen|copilot)$/,
    words: /^(?:mcp (?:add|remove)|config set)/,
    place: 'the settings of an agent',
  },
];

/** Returns what a command writes to, as far as its programs are known. */
export function writeTargets({parts, hidden, outputs}: CommandParts): WriteTargets {
  const programs = [...parts, ...hidden].map(written);
  return {
    targets: [...outputs, ...programs.flatMap(({targets}) => targets)],
    spreads: programs.flatMap(({spreads}) => spreads),
    unnamed: [...new Set(programs.flatMap(({unnamed}) => unnamed))],
  };
}

function written({words, typed}: CommandPart): WriteTargets {
  const name = basename(words[0] ?? '');
  // Started by another program, or as a script: its name is a later word.
  const unnamed = SETTERS.filter((setter) =>
    words.slice(0, MAX_STARTERS).some((word, index) => {
      return setter.program.test(basename(word ?? '')) && setter.words.test(typed.slice(index + 1).join(' '));
    }),
  );
  const writer = WRITERS.get(name);
  const args = words.slice(1).map((literal, index) => ({literal, typed: typed[index + 1] ?? ''}));
  const isWriting = writer && (!writer.only || args.some(({typed}) => writer.only?.test(typed)));
  const targets = isWriting ? targetsOf(args, writer) : [];
  const isTree = isWriting && args.some(({typed}) => writer.spreads?.test(typed));
  return {targets, spreads: isTree ? targets : [], unnamed: unnamed.map(({place}) => place)};
}

/** The words that a program writes to; for `find`, `;` and `+` end the words of a command. */
function targetsOf(args: readonly WordText[], writer: Writer): readonly WordText[] {
  const found: WordText[] = [];
  const plain: WordText[] = [];
  let hasScript = writer.hasScript ?? false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    const next = args[at + 1];
    const joined = writer.targets?.map((option) => joinedTo(option, arg)).find((rest) => rest !== undefined);
    if (writer.targets?.includes(arg.typed)) {
      if (next) found.push(next);
      at++;
    } else if (joined) found.push(joined);
    else if (writer.others?.includes(arg.typed)) {
      hasScript = false;
      at++;
    } else if (!/^(?:-|[;+]$|\\;$|';'$)/.test(arg.typed)) plain.push(arg);
  }
  const rest = hasScript ? plain.slice(1) : plain;
  const isGiven = found.length > 0;
  const last = rest.at(-1);
  if (writer.words === 'all') found.push(...rest);
  if (writer.words === 'last' && !isGiven && last) found.push(last);
  return found.length === 0 && writer.isHere ? [{typed: '.', literal: '.'}] : found;
}

/** A value joined to an option: `-oFILE`, `--output=FILE`, `of=FILE`. */
function joinedTo(option: string, {typed, literal}: WordText): WordText | undefined {
  const start = /^-[^-]/.test(option) ? option : `${option}=`;
  const whole = literal ?? typed;
  if (!whole.startsWith(start) || whole.length === start.length) return undefined;
  return {typed: typed.slice(start.length), literal: literal?.slice(start.length)};
}
