import {basename} from 'node:path/posix';

/** Programs that start the program that stands behind them, or what they read. */
const WRAPPERS = new Set(
  (
    'builtin busybox chroot chrt command coproc dbus-run-session doas entr env eval exec fakeroot firejail flock gdb ' +
    'ionice ltrace nice nohup nsenter parallel pkexec rlwrap runuser script setarch setsid ssh strace stdbuf su sudo ' +
    'systemd-run taskset time timeout toolbox torsocks unbuffer unshare watch xargs'
  ).split(' '),
);

/** Those that make one line of all their words. */
const JOINS = new Set(['eval', 'ssh', 'watch', 'parallel']);

/** Builtins that change what comes after them, or run what nobody sees here. */
const CHANGES_NAMES = new Set('. alias enable hash source trap unalias'.split(' '));

const SHELLS = /^(?:ba|da|z|k|mk|a|c|tc)?sh$|^fish$/;
const FIND_RUNS = /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/;

export type Wrapper =
  /** A shell that gets one line and nothing else. */
  | {readonly kind: 'shell_line'; readonly line: string}
  /** Starts others; `lines` are words that may be shell code. */
  | {readonly kind: 'wrapper'; readonly lines: readonly string[]; readonly isOpaque: boolean};

/** What a program does with its words, where that is starting other programs; undefined where it is not known to. */
export function wrapperOf(words: readonly (string | undefined)[]): Wrapper | undefined {
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  const name = basename(first);
  const isUnknown = rest.includes(undefined);
  const known = rest.filter((word) => word !== undefined);
  if (SHELLS.test(name)) return shell(known, isUnknown);
  if (CHANGES_NAMES.has(name)) return {kind: 'wrapper', lines: [], isOpaque: true};
  const startsOthers = WRAPPERS.has(name) || (name === 'find' && known.some((word) => FIND_RUNS.test(word)));
  if (!startsOthers) return undefined;
  const lines = JOINS.has(name) ? [known.join(' ')] : known.filter(isShellCode);
  return {kind: 'wrapper', lines, isOpaque: isUnknown};
}

function shell(words: readonly string[], isUnknown: boolean): Wrapper {
  const [flag, line, ...rest] = words;
  if (!isUnknown && /^-l?c$/.test(flag ?? '') && line !== undefined && rest.length === 0)
    return {kind: 'shell_line', line};
  // Without a script it runs what it reads.
  const readsInput = words.every((word) => word.startsWith('-'));
  return {kind: 'wrapper', lines: words.filter(isShellCode), isOpaque: isUnknown || readsInput};
}

function isShellCode(word: string): boolean {
  return /[\s;|&`$]/.test(word);
}
