import {basename} from 'node:path/posix';
import {isLauncher} from './launchers.ts';

/** Those that make one line of all their words. */
const JOINS = new Set(['eval', 'ssh', 'watch', 'parallel']);

/** Builtins that change what comes after them, or run what nobody sees here. */
const CHANGES_NAMES = new Set('. alias enable hash source trap unalias'.split(' '));

const SHELLS = /^(?:ba|da|z|k|mk|a|c|tc)?sh$|^fish$/;
/** The words with which programs start others, or change files, that otherwise do neither. */
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

/** Whether a word starts a shell of the system, and no program that is only called like one. */
export type IsShell = (word: string) => boolean;

export type Wrapper =
  /** A shell that gets one line and nothing else. */
  | {readonly kind: 'shell_line'; readonly line: string}
  /** Starts others; `lines` are words that may be shell code. */
  | {readonly kind: 'wrapper'; readonly lines: readonly string[]; readonly isOpaque: boolean};

/** What a program does with its words, where that is starting other programs; undefined where it is not known to. */
export function wrapperOf(words: readonly (string | undefined)[], isShell: IsShell): Wrapper | undefined {
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  const name = basename(first);
  const isUnknown = rest.includes(undefined);
  const known = rest.filter((word) => word !== undefined);
  if (SHELLS.test(name)) return shell(known, {isUnknown, isSystems: isShell(first)});
  if (CHANGES_NAMES.has(name) || setsVariable(name, rest))
    return {kind: 'wrapper', lines: [], isOpaque: true};
  // Settings name programs: pagers, editors, aliases.
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
  // Without a script it runs what it reads.
  const readsInput = words.every((word) => word.startsWith('-'));
  return {kind: 'wrapper', lines: words.filter(isShellCode), isOpaque: isUnknown || readsInput};
}

function isShellCode(word: string): boolean {
  return /[\s;|&`$]/.test(word);
}

/**
 * Builtins that can set a variable, PATH perhaps, or read the name of one as shells read it: with what stands in its index
 * carried out.
 */
function setsVariable(name: string, words: readonly (string | undefined)[]): boolean {
  if (name === 'printf') return words[0]?.startsWith('-v') ?? false;
  return (name === 'test' || name === '[') && words.some((word) => word === '-v' || word === '-R');
}

/** Options of git before its command that take a word of their own. */
const GIT_TAKES_WORD = new Set(
  '-C --git-dir --work-tree --namespace --super-prefix --attr-source'.split(' '),
);

/** Whether git gets settings or a place for its programs before its command. */
function configures(words: readonly (string | undefined)[]): boolean {
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined || /^(?:-c|--config-env|--exec-path)(?:=|$)/.test(word)) return true;
    if (GIT_TAKES_WORD.has(word)) at++;
    else if (!word.startsWith('-')) return false;
  }
  return false;
}
