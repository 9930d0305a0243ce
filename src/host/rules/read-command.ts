import {basename} from 'node:path/posix';
import type {ReportedCommand} from '../../session/requests/command-fields.ts';
import {isHarmless} from '../../session/requests/variables.ts';
import {quoteWord} from '../../text/shell-quote.ts';
import type {ShellGrammar, ShellNode} from './shell-grammar.ts';

/** One program that a command starts. */
export interface Program {
  /** Its words as it gets them; undefined for one that only the shell knows. */
  readonly words: readonly (string | undefined)[];
  /** As one line, with single quotes where needed. */
  readonly line: string;
  /** True if it starts what its arguments name: only a rule without wildcards allows it. */
  readonly startsOthers: boolean;
}

/** A command as the rules read it. */
export interface CommandReading {
  /** The programs that it starts, as far as they can be read. */
  readonly programs: readonly Program[];
  /** Why more may happen than the programs say; undefined if the command is plain. */
  readonly unresolved: string | undefined;
  /** The words that only redirections have. */
  readonly targets: readonly string[];
  /** All of it, without the quotes of a shell. */
  readonly text: string;
}

/** Longer commands are not read, in characters. */
const MAX_LENGTH = 16_384;
const MAX_DEPTH = 100;

/**
 * Reads a command: a line for a shell, or the words of one program. It is plain if it consists of programs with literal words, side by side (`&&`, `||`, `;`, `|`,
 * line breaks), whose output goes nowhere else; anything else leaves it unresolved, with the programs that were found anywhere in it. Without a grammar no line
 * is plain.
 */
export function readCommand(command: ReportedCommand, grammar: ShellGrammar | undefined): CommandReading {
  if (typeof command === 'string') return readLine(command, grammar);
  const program = programOf(command.map((word) => ({literal: word, typed: quoteWord(word)})));
  return {programs: [program], unresolved: unsafeWord(program), targets: [], text: command.join('\n')};
}

export function isTooLong({text}: Pick<CommandReading, 'text'>): boolean {
  return text.length > MAX_LENGTH;
}

/** Merges the readings of several commands. */
export function joinReadings(all: readonly CommandReading[]): CommandReading {
  return {
    programs: all.flatMap(({programs}) => programs),
    unresolved: all.find(({unresolved}) => unresolved !== undefined)?.unresolved,
    targets: all.flatMap(({targets}) => targets),
    text: all.map(({text}) => text).join('\n'),
  };
}

interface Found {
  readonly line: string;
  readonly programs: Program[];
  readonly targets: string[];
  unresolved: string | undefined;
}

function readLine(line: string, grammar: ShellGrammar | undefined): CommandReading {
  const found: Found = {line, programs: [], targets: [], unresolved: undefined};
  // Shells disagree on where a word ends at these characters.
  if (/[\0-\u0008\u000b-\u001f\u007f-\u009f]/.test(line)) unresolve(found, 'it contains control characters');
  if (isTooLong({text: line})) unresolve(found, 'it is too long to be read');
  const isRead =
    !isTooLong({text: line}) &&
    grammar?.(line, (root) => {
      visit(root, found, 0);
      if (!isAllRead(root, line)) unresolve(found, 'parts of it cannot be read');
      return true;
    });
  if (!isRead) unresolve(found, 'it cannot be read');
  const {programs, targets, unresolved} = found;
  return {programs, targets, unresolved, text: line.replaceAll('\\\n', '').replaceAll(/['"\\]/g, '')};
}

/** Node types that only place programs side by side. */
const SIDE_BY_SIDE = new Set(
  'program list pipeline negated_command redirected_statement comment ! && || | |& ; &'.split(' '),
);

function visit(node: ShellNode, found: Found, depth: number): void {
  const {type, text, children} = node;
  if (depth > MAX_DEPTH) return unresolve(found, 'it is nested too deeply');
  if (type === 'command') visitProgram(node, found);
  else if (type === 'file_redirect') visitRedirect(node, found);
  else if (type === 'ERROR' || node.isMissing) unresolve(found, 'it is no complete command');
  else if (!SIDE_BY_SIDE.has(type)) unresolve(found, `"${excerpt(text)}" is more than a list of programs`);
  const isWords = type === 'command' || type === 'file_redirect';
  for (const child of children) (isWords ? visitWord : visit)(child, found, depth + 1);
}

/** Looks for programs that are started inside a word. */
function visitWord(node: ShellNode, found: Found, depth: number): void {
  if (node.type === 'command' || depth > MAX_DEPTH) return visit(node, found, depth);
  for (const child of node.children) visitWord(child, found, depth + 1);
}

function visitProgram({children}: ShellNode, found: Found): void {
  const words: Word[] = [];
  let end: number | undefined;
  for (const child of children) {
    const {type, text, startIndex, endIndex} = child;
    if (type === 'file_redirect') continue;
    if (type === 'variable_assignment') {
      if (isHarmlessAssignment(child)) continue;
      unresolve(found, `"${excerpt(text)}" may change what it does`);
      words.push({literal: undefined, typed: text});
      continue;
    }
    const literal = literalOf(child);
    if (literal === undefined) unresolve(found, `"${excerpt(text)}" is changed by the shell`);
    if (end !== undefined && !/^(?:\\\n)*[ \t](?:[ \t]|\\\n)*$/.test(found.line.slice(end, startIndex)))
      unresolve(found, 'its words cannot be separated');
    words.push({literal, typed: literal === undefined ? text : quoteWord(literal)});
    end = endIndex;
  }
  const program = programOf(words);
  found.programs.push(program);
  const unsafe = unsafeWord(program);
  if (unsafe !== undefined) unresolve(found, unsafe);
}

/** Redirections from and to /dev/null, and between a program's own outputs, are harmless. All others read or write a file. */
function visitRedirect(node: ShellNode, found: Found): void {
  if (/^\d*(?:[<>]|>>|&>>?|>\|)[ \t]*\/dev\/null$|^\d*[<>]&[ \t]*(?:\d+|-)$/.test(node.text)) return;
  unresolve(found, `"${excerpt(node.text)}" redirects to or from a file`);
  const target = node.children.at(-1);
  const literal = target && literalOf(target);
  if (literal !== undefined) found.targets.push(literal);
}

interface Word {
  readonly literal: string | undefined;
  /** As it is written in a line. */
  readonly typed: string;
}

function programOf(words: readonly Word[]): Program {
  const literals = words.map(({literal}) => literal);
  return {
    words: literals,
    line: words.map(({typed}) => typed).join(' '),
    startsOthers: startsOthers(literals),
  };
}

const set = (...lines: readonly string[]) => new Set(lines.join(' ').split(' '));

const SHELLS = /^(?:ba|da|z|k|mk|a|c|tc)?sh$|^fish$/;
/** Builtins that change what later words mean, or run their arguments as code of the shell. */
const CODE = set(
  '. alias bind builtin command compgen complete coproc declare enable eval exec export fc hash jobs let local mapfile read readarray',
  'readonly set shopt source trap typeset unalias unset',
);

/** Why its words do not say what it starts; undefined if they do. */
function unsafeWord({words: [first = '', ...rest], line}: Program): string | undefined {
  const name = basename(first);
  // With these, they evaluate the name of a variable.
  const evaluates = /^(?:printf|test|\[)$/.test(name) && rest.some((word) => /^-[vR]/.test(word ?? ''));
  if (SHELLS.test(name)) return `"${excerpt(line)}" starts a shell`;
  return CODE.has(name) || evaluates ? `"${excerpt(line)}" may change what other words mean` : undefined;
}

/** Well-known programs that start the one in their arguments. A list cannot be complete: rules do not know what programs do. */
const LAUNCHERS = set(
  'sudo doas su runuser pkexec env xargs parallel nohup nice ionice setsid stdbuf timeout time watch script flock strace gdb',
  'chroot unshare nsenter busybox toybox ssh find fd',
);
/** What makes the last two start others, and git. */
const STARTING_WORDS: ReadonlyMap<string, RegExp> = new Map([
  ['find', /^-(?:exec|execdir|ok|okdir|delete|fprint|fls)/],
  ['fd', /^(?:-[xX]|--exec)/],
  [
    'git',
    /^(?:-[cuxO].*|--(?:config|exec|upload-pack|receive-pack|open-files).*|ext::.*|bisect|difftool|foreach|filter-branch)$/,
  ],
]);

function startsOthers([first = '', ...rest]: readonly (string | undefined)[]): boolean {
  const name = basename(first);
  const words = STARTING_WORDS.get(name);
  return words ? rest.some((word) => words.test(word ?? '')) : LAUNCHERS.has(name);
}

function isHarmlessAssignment({text, children}: ShellNode): boolean {
  const [name, equals, value, ...rest] = children;
  if (name === undefined || equals?.text !== '=' || rest.length > 0) return false;
  const literal = value === undefined ? '' : literalOf(value);
  const isWhole = text === `${name.text}=${value?.text ?? ''}`;
  return isWhole && literal !== undefined && isHarmless({name: name.text, value: literal});
}

/** Checks that the grammar skipped only whitespace. */
function isAllRead(root: ShellNode, line: string): boolean {
  let end = 0;
  const isBlank = (from: number, to: number) => /^(?:[ \t\n]|\\\n)*$/.test(line.slice(from, to));
  const isRead = (node: ShellNode): boolean => {
    if (node.children.length > 0) return node.children.every(isRead);
    const isNext = isBlank(end, node.startIndex);
    end = node.endIndex;
    return isNext;
  };
  return isRead(root) && isBlank(end, line.length);
}

function unresolve(found: Found, why: string): void {
  found.unresolved ??= why;
}

function excerpt(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/** Characters that are literal in every shell, or an escaped one. Without `~` and `=` where a shell may expand them, braces, globs and history. */
const PLAIN = /^(?![~=])(?:[\p{L}\p{N}\p{M}\p{So}_@%+,./^-]|[:=](?!~)|~|\\[^\n])+$/u;

/** Returns the value of a word after expansion; undefined if that depends on anything but the word. */
function literalOf(node: ShellNode): string | undefined {
  const {type, text, children} = node;
  switch (type) {
    case 'command_name': {
      const [only] = children;
      return children.length === 1 && only ? literalOf(only) : undefined;
    }
    case 'word':
    case 'number':
      return PLAIN.test(text) ? text.replace(/\\([^])/gu, '$1') : undefined;
    case 'raw_string':
      return /^'[^']*'$/.test(text) ? text.slice(1, -1) : undefined;
    case 'string':
      return literalString(node);
    case 'concatenation':
      return joined(node);
    default:
      return undefined;
  }
}

function literalString({text, children}: ShellNode): string | undefined {
  const isPlain = children.every(({type}) => type === '"' || type === 'string_content');
  if (!isPlain || !/^"(?:[^"\\$`]|\\[^])*"$/.test(text)) return undefined;
  return text
    .slice(1, -1)
    .replace(/\\(?:([\\"$`])|\n)/g, (_, character: string | undefined) => character ?? '');
}

function joined({startIndex, endIndex, children}: ShellNode): string | undefined {
  let at = startIndex;
  let whole = '';
  for (const child of children) {
    const part = literalOf(child);
    if (part === undefined || child.startIndex !== at) return undefined;
    whole += part;
    at = child.endIndex;
  }
  return at === endIndex ? whole : undefined;
}
