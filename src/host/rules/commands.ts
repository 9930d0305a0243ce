import {basename} from 'node:path/posix';
import {quoteWord} from '../../text/shell-quote.ts';
import {
  type ShellGrammar,
  MAX_LINE_LENGTH,
  readLine,
  TOO_LONG,
  type Assignment,
  type LineReading,
  type Program,
  type WordText,
} from './shell-parser.ts';

/** One program that a command starts. */
export interface CommandPart {
  /** Its words; undefined for one that only the shell can expand. */
  readonly words: readonly (string | undefined)[];
  /** The same words as typed. */
  readonly typed: readonly string[];
  /** As one line, with single quotes where needed. */
  readonly line: string;
  /** True if it starts other programs or sets variables: only a rule without wildcards allows it. */
  readonly isWrapper: boolean;
}

/** The programs that a command starts, as far as they can be read. */
export interface CommandParts {
  /** The programs that it starts. */
  readonly parts: readonly CommandPart[];
  /** Other programs it may start: in substitutions, or behind wrappers. */
  readonly hidden: readonly CommandPart[];
  /** Why it is uncertain what runs; undefined if the parts are everything. */
  readonly unresolved: string | undefined;
  /** True if even the programs are uncertain. */
  readonly isOpaque: boolean;
  /** All words: each may name a file. */
  readonly texts: readonly WordText[];
  /** Targets of redirections. */
  readonly outputs: readonly WordText[];
  readonly assigned: readonly Assignment[];
}

/** What parsing a command needs. */
interface CommandReader {
  readonly grammar: ShellGrammar;
  readonly isShell: IsShell;
}

/** Number of words after a wrapper in which a program is searched. */
const MAX_WORDS = 200;
/** Maximum nesting of shells in shells. */
const MAX_SHELLS = 3;

export const NO_PARTS: CommandParts = {
  parts: [],
  hidden: [],
  unresolved: undefined,
  isOpaque: false,
  texts: [],
  outputs: [],
  assigned: [],
};

/** Splits a command into the programs that it starts: a line for a shell, or the words of one program. */
export function splitCommand(
  command: string | readonly string[],
  reader: CommandReader,
  shells = 0,
): CommandParts {
  const reading = typeof command === 'string' ? readLine(command, reader.grammar) : readingOf(command);
  const {programs, ...read} = reading;
  return programs.map((program) => partsOf(program, reader, shells)).reduce(both, {...NO_PARTS, ...read});
}

/** Without a shell, words reach their program unchanged. */
function readingOf(words: readonly string[]): LineReading {
  if (words.join(' ').length > MAX_LINE_LENGTH) return TOO_LONG;
  const program = {words, typed: words.map(quoteWord), assignments: [], isInside: false};
  const texts = words.map((word) => ({typed: word, literal: word}));
  return {programs: [program], texts, outputs: [], assigned: [], unresolved: undefined, isOpaque: false};
}

function partsOf(program: Program, reader: CommandReader, shells: number): CommandParts {
  const {words, typed, assignments, isInside} = program;
  const found = assignments.length > 0 ? undefined : shellLine(program, reader, shells);
  if (found) return isInside ? allHidden(found) : found;
  const wrapper = wrapperOf(words, reader.isShell);
  const plain = {words, typed, line: typed.join(' '), isWrapper: wrapper !== undefined};
  const whole =
    assignments.length === 0
      ? {...NO_PARTS, parts: [plain]}
      : {
          ...NO_PARTS,
          parts: [{words, typed, line: [...assignments, plain.line].join(' '), isWrapper: true}],
          hidden: [plain],
        };
  const inner = wrapper === undefined ? NO_PARTS : allHidden(behind(program, reader, shells));
  const all = both(whole, {...inner, unresolved: undefined});
  return isInside ? allHidden(all) : all;
}

/** Replaces `sh -c line` with the commands of the line, if it can be parsed. */
function shellLine({words}: Program, reader: CommandReader, shells: number): CommandParts | undefined {
  const wrapper = wrapperOf(words, reader.isShell);
  if (wrapper?.kind !== 'shell_line' || shells >= MAX_SHELLS) return undefined;
  const inner = splitCommand(wrapper.line, reader, shells + 1);
  return inner.unresolved === undefined ? inner : undefined;
}

/** Returns what a wrapper may start: a program may begin at any of its later words. */
function behind({words, typed}: Program, reader: CommandReader, shells: number): CommandParts {
  const wrapper = wrapperOf(words, reader.isShell);
  if (wrapper === undefined) return NO_PARTS;
  if (shells >= MAX_SHELLS) return {...NO_PARTS, isOpaque: true};
  const lines = wrapper.kind === 'shell_line' ? [wrapper.line] : wrapper.lines;
  const tails = words.slice(1, MAX_WORDS).map((_, index) => ({
    words: words.slice(index + 1),
    typed: typed.slice(index + 1),
    line: typed.slice(index + 1).join(' '),
    isWrapper: false,
  }));
  return lines
    .map((line) => splitCommand(line, reader, shells + 1))
    .reduce(both, {
      ...NO_PARTS,
      hidden: tails,
      isOpaque: (wrapper.kind === 'wrapper' && wrapper.isOpaque) || words.length > MAX_WORDS,
    });
}

/** Merges the parts of several commands. */
export function joinParts(commands: readonly CommandParts[]): CommandParts {
  return commands.reduce(both, NO_PARTS);
}

function both(one: CommandParts, other: CommandParts): CommandParts {
  return {
    parts: [...one.parts, ...other.parts],
    hidden: [...one.hidden, ...other.hidden],
    unresolved: one.unresolved ?? other.unresolved,
    isOpaque: one.isOpaque || other.isOpaque,
    texts: [...one.texts, ...other.texts],
    outputs: [...one.outputs, ...other.outputs],
    assigned: [...one.assigned, ...other.assigned],
  };
}

function allHidden({parts, hidden, ...rest}: CommandParts): CommandParts {
  return {...rest, parts: [], hidden: [...parts, ...hidden]};
}

/** Programs that join their words into one line. */
const JOINS = new Set(['eval', 'ssh', 'watch', 'parallel']);

/** Builtins that affect later commands, or run something not visible here. */
const CHANGES_NAMES = new Set('. alias enable hash source trap unalias'.split(' '));

const SHELLS = /^(?:ba|da|z|k|mk|a|c|tc)?sh$|^fish$/;
/** Words that make a program start others or change files, which it otherwise does not. */
const STARTING_WORDS: ReadonlyMap<string, RegExp> = new Map([
  ['find', /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/],
  ['fd', /^(?:-[xX].*|--exec(?:-batch)?(?:=.*)?)$/],
  ['fdfind', /^(?:-[xX].*|--exec(?:-batch)?(?:=.*)?)$/],
  ['git', /^(?:foreach|bisect|filter-branch|difftool|mergetool|--exec(?:=.*)?)$/],
  ['rg', /^--pre(?:=.*)?$/],
  [
    'tar',
    /^(?:-I.*|-F.*|--(?:to-command|use-compress-program|checkpoint-action|info-script|new-volume-script|rsh-command)(?:=.*)?)$/,
  ],
]);

/** True if a word starts a system shell, and not a program that only has its name. */
type IsShell = (word: string) => boolean;

type Wrapper =
  /** A shell with one line and no other arguments. */
  | {readonly kind: 'shell_line'; readonly line: string}
  /** Starts other programs; `lines` are words that may be shell code. */
  | {readonly kind: 'wrapper'; readonly lines: readonly string[]; readonly isOpaque: boolean};

/** Returns the programs that a wrapper such as `sudo` starts; undefined if it is not a known wrapper. */
function wrapperOf(words: readonly (string | undefined)[], isShell: IsShell): Wrapper | undefined {
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  const name = basename(first);
  const isUnknown = rest.includes(undefined);
  const known = rest.filter((word) => word !== undefined);
  if (SHELLS.test(name)) return shell(known, {isUnknown, isSystems: isShell(first)});
  if (CHANGES_NAMES.has(name) || setsVariable(name, rest))
    return {kind: 'wrapper', lines: [], isOpaque: true};
  // Git settings can name programs: pagers, editors, aliases.
  if (name === 'git' && configures(rest))
    return {kind: 'wrapper', lines: known.filter(isShellCode), isOpaque: true};
  const finds = STARTING_WORDS.get(name);
  const startsOthers = isLauncher(name) || (finds !== undefined && known.some((word) => finds.test(word)));
  if (!startsOthers) return undefined;
  const lines = JOINS.has(name) ? [known.join(' ')] : known.filter(isShellCode);
  return {kind: 'wrapper', lines, isOpaque: isUnknown};
}

function shell(
  words: readonly string[],
  {isUnknown, isSystems}: {readonly isUnknown: boolean; readonly isSystems: boolean},
): Wrapper {
  const [flag, line, ...rest] = words;
  if (isSystems && !isUnknown && /^-l?c$/.test(flag ?? '') && line !== undefined && rest.length === 0)
    return {kind: 'shell_line', line};
  // Without a script it runs its standard input.
  const readsInput = words.every((word) => word.startsWith('-'));
  return {kind: 'wrapper', lines: words.filter(isShellCode), isOpaque: isUnknown || readsInput};
}

function isShellCode(word: string): boolean {
  return /[\s;|&`$]/.test(word);
}

/** Builtins that can set a variable, such as PATH, or evaluate a variable name, including the index in it. */
function setsVariable(name: string, words: readonly (string | undefined)[]): boolean {
  if (name === 'printf') return words[0]?.startsWith('-v') ?? false;
  return (name === 'test' || name === '[') && words.some((word) => word === '-v' || word === '-R');
}

/** Options of git before its command that have a separate value. */
const GIT_TAKES_WORD = new Set(
  '-C --git-dir --work-tree --namespace --super-prefix --attr-source'.split(' '),
);

/** True if git gets settings or an exec path before its command. */
function configures(words: readonly (string | undefined)[]): boolean {
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined || /^(?:-c|--config-env|--exec-path)(?:=|$)/.test(word)) return true;
    if (GIT_TAKES_WORD.has(word)) at++;
    else if (!word.startsWith('-')) return false;
  }
  return false;
}

/*
 * Programs that run another program, and programs known not to. A program in neither table is unknown: with a denied program in its arguments, the user is
 * asked (match.ts).
 */

const words = (...lines: readonly string[]) => new Set(lines.join(' ').split(' '));

/** These start the program in their arguments or input. */
const LAUNCHERS = words(
  'builtin command coproc eval exec time',
  // other users and privileges
  'aa-exec capsh doas gosu pkexec run0 runcon runuser setpriv setuidgid sg su su-exec sudo sudoedit',
  // priorities, limits, processors, time
  'chpst choom chrt cpulimit ionice nice numactl prlimit schedtool softlimit taskset timelimit timeout',
  // personality
  'setarch i386 i486 i586 i686 linux32 linux64 ppc ppc32 ppc64 ppc64le s390 s390x sparc sparc32 sparc64 uname26 x86_64',
  // other roots, namespaces, sandboxes
  'bwrap cgexec chroot fakechroot fakeroot firejail nsenter nsjail proot systemd-inhibit systemd-run toolbox unshare',
  // other environments, sessions, terminals
  'daemonize dbus-launch dbus-run-session env envdir expect nohup rlwrap script setsid ssh sshpass start-stop-daemon ' +
    'stdbuf tini torsocks tsocks unbuffer xvfb-run',
  // debuggers and watchers
  'catchsegv entr gdb gdbserver hyperfine lldb ltrace perf rr strace valgrind watch watchexec',
  // multi-call programs, and programs over lists
  'busybox flock parallel rush toybox xargs',
);

/** The dynamic linker runs the program in its arguments: `ld-linux-x86-64.so.2`, `ld-musl-x86_64.so.1`, `ld.so`. */
const LOADER = /^ld\d*(?:-[\w.-]+)?\.so(?:\.\d+)*$/;

/** These only process their arguments, and never start them. */
const HARMLESS = words(
  '[ awk b2sum base32 base64 basename bat cal cat cd chgrp chmod chown cksum clear cmp column comm cp csplit curl cut date',
  'dd df diff dig dir dirname du echo egrep exa expand expr eza factor false fgrep file fmt fold git grep gzip gunzip head',
  'hostname id install join jq kill less ln ls lsof md5sum mkdir mkfifo mktemp more mv nl numfmt od paste patch pgrep pr',
  'printenv printf ps pwd readlink realpath rev rg rm rmdir sed seq sha1sum sha256sum sha512sum shred shuf sleep sort split',
  'stat strings sum sync tac tail tar tee test touch tr tree true truncate tsort type tty uname unexpand uniq unlink unzip',
  'users wc wget which who whoami xxd yes yq zcat zip :',
);

/** True for a program that starts the program in its arguments, by its base name. */
function isLauncher(name: string): boolean {
  return LAUNCHERS.has(name) || LOADER.test(name);
}

/** True unless the program is known not to start the program in its arguments. */
export function mayLaunch(name: string): boolean {
  return !HARMLESS.has(name);
}
