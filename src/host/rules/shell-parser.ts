import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {fileURLToPath} from 'node:url';
import {brotliDecompressSync} from 'node:zlib';
import {quoteWord} from '../../text/shell-quote.ts';
import {isHarmless} from '../../session/requests/variables.ts';

/** A node in the syntax tree of a line: the subset of tree-sitter's nodes in use. */
interface ShellNode {
  readonly type: string;
  readonly text: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly isMissing: boolean;
  readonly children: readonly ShellNode[];
}

/** Parses a line as a shell does and calls `use` with the tree, which is freed afterwards. Undefined if it cannot be parsed at all. */
export type ShellGrammar = <T>(line: string, use: (root: ShellNode) => T) => T | undefined;

let loading: Promise<ShellGrammar> | undefined;

/** Loads tree-sitter with the bash grammar. Takes about 30 ms the first time, so it is loaded only if a rule needs it. */
export function loadShellGrammar(): Promise<ShellGrammar> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ShellGrammar> {
  const {Language, Parser} = await import('web-tree-sitter');
  await Parser.init({wasmBinary: wasmOf('web-tree-sitter/web-tree-sitter.wasm')});
  const bash = await Language.load(wasmOf('tree-sitter-bash/tree-sitter-bash.wasm'));
  const parser = new Parser().setLanguage(bash);
  return (line, use) => {
    const tree = parser.parse(line);
    if (!tree) return undefined;
    try {
      return use(tree.rootNode);
    } finally {
      tree.delete();
    }
  };
}

/** Reads a file that is next to the bundle in a build, compressed, and in its package otherwise. */
function wasmOf(name: string): Uint8Array {
  const beside = fileURLToPath(new URL(`./${name.slice(name.indexOf('/') + 1)}.br`, import.meta.url));
  return existsSync(beside)
    ? brotliDecompressSync(readFileSync(beside))
    : readFileSync(createRequire(import.meta.url).resolve(name));
}

/** A program call in a line. */
export interface Program {
  /** The words as the program gets them; undefined for one that only the shell can expand. */
  readonly words: readonly (string | undefined)[];
  /** The same words as typed. */
  readonly typed: readonly string[];
  /** Variable assignments in front of it that are not known to be harmless, as typed. */
  readonly assignments: readonly string[];
  /** True inside a substitution, loop or function. */
  readonly isInside: boolean;
}

/** A word anywhere in a line: an argument, a value, a redirection target. */
export interface WordText {
  readonly typed: string;
  /** Its value after expansion; undefined if only the shell can expand it. */
  readonly literal: string | undefined;
}

/** An assigned variable, or a loop variable; undefined if its value is unknown. */
export interface Assignment {
  readonly name: string;
  readonly value: WordText | undefined;
}

/** The parsed command line of a shell. */
export interface LineReading {
  readonly programs: readonly Program[];
  /** Why it is uncertain what runs; undefined if the programs are everything. */
  readonly unresolved: string | undefined;
  /** True if even the programs are uncertain. */
  readonly isOpaque: boolean;
  readonly texts: readonly WordText[];
  /** Targets of redirections. */
  readonly outputs: readonly WordText[];
  readonly assigned: readonly Assignment[];
}

/** Longer commands are not parsed, in characters. */
export const MAX_LINE_LENGTH = 16_384;
const DEEPEST = 100;

/** Node types that only combine programs. */
const SIDE_BY_SIDE = new Set(
  'program list pipeline negated_command redirected_statement comment ! && || | |& ; &'.split(' '),
);
/** Node types that may change which program a name refers to. */
const CHANGES_NAMES = new Set(
  'function_definition declaration_command unset_command variable_assignment variable_assignments'.split(' '),
);

/** Parses a line strictly: only syntax known to be harmless counts as resolved. */
export function readLine(line: string, grammar: ShellGrammar): LineReading {
  // Shells disagree on where a word ends at these characters.
  if (/[\0-\u0008\u000b-\u001f\u007f-\u009f]/.test(line))
    return unreadable('it contains control characters', line);
  if (line.length > MAX_LINE_LENGTH) return TOO_LONG;
  const found: Found = {...NOTHING_FOUND, line, programs: [], texts: [], outputs: [], assigned: []};
  const isRead = grammar(line, (root) => {
    visit(root, found, {depth: 0, isInside: false});
    collectTexts(root, found, 0);
    // The grammar ends a word at a line continuation, a shell does not.
    if (line.includes('\\\n')) found.texts.push(...roughTexts(line.replaceAll('\\\n', '')));
    if (found.unresolved === undefined && !isAllRead(root, line)) opaque(found, 'parts of it cannot be read');
    return true;
  });
  if (!isRead) return unreadable('it cannot be read', line);
  return found.isOpaque ? {...found, texts: [...found.texts, ...roughTexts(line)]} : found;
}

const NOTHING_FOUND = {unresolved: undefined, isOpaque: false};
const NO_WORDS = {programs: [], texts: [], outputs: [], assigned: []};

/** It may start anything and name any file. */
export const TOO_LONG: LineReading = {
  ...NO_WORDS,
  unresolved: 'it is too long to be read',
  isOpaque: true,
};

function unreadable(unresolved: string, line: string): LineReading {
  return {...NO_WORDS, texts: roughTexts(line), unresolved, isOpaque: true};
}

const WORDS = new Set(
  'word number string raw_string ansi_c_string translated_string concatenation heredoc_body simple_expansion expansion'.split(
    ' ',
  ),
);

/** Collects all words of a tree, also those that are not arguments; redirection targets and assigned values too. */
function collectTexts(node: ShellNode, found: Found, depth: number): void {
  const {type, text, children} = node;
  const isWord = WORDS.has(type) || (children.length === 0 && /[\w.~*?]/.test(text));
  if (isWord) found.texts.push(textOf(node));
  if (type === 'file_redirect') found.outputs.push(...outputOf(node));
  if (type === 'variable_assignment' || type === 'for_statement') found.assigned.push(...assignedIn(node));
  if (depth > DEEPEST) return;
  for (const child of children)
    if (!isWord || child.children.length > 0) collectTexts(child, found, depth + 1);
}

function textOf(node: ShellNode): WordText {
  return {typed: node.text, literal: literalOf(node)};
}

function outputOf({text, children}: ShellNode): readonly WordText[] {
  const target = children.at(-1);
  const isWritten = /^\d*(?:&?>|<>)/.test(text) && !/^\d*>&[ \t]*(?:\d+|-)$/.test(text);
  return isWritten && target ? [textOf(target)] : [];
}

function assignedIn({type, children}: ShellNode): readonly Assignment[] {
  if (type === 'for_statement') {
    const name = children.find((child) => child.type === 'variable_name')?.text ?? '';
    const values = children.slice(children.findIndex((child) => child.type === 'in') + 1);
    const words = values.filter((child) => WORDS.has(child.type) || child.type === 'command_substitution');
    return children.some((child) => child.type === 'in')
      ? words.map((word) => ({name, value: textOf(word)}))
      : [{name, value: undefined}];
  }
  const [target, equals, value] = children;
  // After assigning an element or a list, the variable's value is unknown.
  const isPlain = target?.type === 'variable_name' && equals?.text === '=' && value?.type !== 'array';
  const known = value ? textOf(value) : {typed: '', literal: ''};
  return [{name: target?.text.replace(/\[[^]*/, '') ?? '', value: isPlain ? known : undefined}];
}

/** The words of a line that cannot be parsed, split at everything that may separate words. */
function roughTexts(line: string): readonly WordText[] {
  return line
    .split(/[\s;|&<>()'"`\0-\u001f]+/)
    .filter(Boolean)
    .map((typed) => ({typed, literal: undefined}));
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

interface Found {
  readonly line: string;
  readonly programs: Program[];
  readonly texts: WordText[];
  readonly outputs: WordText[];
  readonly assigned: Assignment[];
  unresolved: string | undefined;
  isOpaque: boolean;
}

interface Place {
  readonly depth: number;
  readonly isInside: boolean;
}

function visit(node: ShellNode, found: Found, place: Place): void {
  const {type, text, children} = node;
  if (place.depth > DEEPEST) return opaque(found, 'it is nested too deeply');
  if (type === 'command') return visitCommand(node, found, place);
  if (type === 'file_redirect') return visitRedirect(node, found, place);
  if (type === 'ERROR' || node.isMissing) opaque(found, 'it is no complete command');
  else if (CHANGES_NAMES.has(type)) opaque(found, `"${excerpt(text)}" changes what names mean`);
  else if (!SIDE_BY_SIDE.has(type)) unresolve(found, text, 'is more than a list of programs');
  const isInside = place.isInside || !SIDE_BY_SIDE.has(type);
  for (const child of children) visit(child, found, {depth: place.depth + 1, isInside});
}

/** Visits a program call with its words and assignments. */
function visitCommand({children}: ShellNode, found: Found, place: Place): void {
  const words: (string | undefined)[] = [];
  const typed: string[] = [];
  const assignments: string[] = [];
  let end: number | undefined;
  for (const child of children) {
    if (child.type === 'file_redirect') {
      visitRedirect(child, found, place);
    } else if (child.type === 'variable_assignment') {
      if (!isHarmlessAssignment(child)) assignments.push(child.text);
      lookFurther(child, found, place);
    } else {
      const word = literalOf(child);
      if (word === undefined) {
        unresolve(found, child.text, 'is changed by the shell');
        lookFurther(child, found, place);
      }
      if (
        end !== undefined &&
        !/^(?:\\\n)*[ \t](?:[ \t]|\\\n)*$/.test(found.line.slice(end, child.startIndex))
      )
        opaque(found, 'its words cannot be separated');
      words.push(word);
      typed.push(word === undefined ? child.text : quoteWord(word));
      end = child.endIndex;
    }
  }
  found.programs.push({words, typed, assignments, isInside: place.isInside});
}

/** Redirections from and to /dev/null, and between a program's own outputs, are harmless. All others read or write a file. */
function visitRedirect(node: ShellNode, found: Found, place: Place): void {
  if (!/^\d*(?:[<>]|>>|&>>?|>\|)[ \t]*\/dev\/null$|^\d*[<>]&[ \t]*(?:\d+|-)$/.test(node.text))
    unresolve(found, node.text, 'redirects to or from a file');
  lookFurther(node, found, place);
}

/** Visits programs in substitutions. */
function lookFurther({children}: ShellNode, found: Found, {depth}: Place): void {
  if (depth > DEEPEST) return opaque(found, 'it is nested too deeply');
  const place = {depth: depth + 1, isInside: true};
  for (const child of children)
    if (child.type === 'command') visitCommand(child, found, place);
    else lookFurther(child, found, place);
}

function isHarmlessAssignment({text, children}: ShellNode): boolean {
  const [name, equals, value, ...rest] = children;
  if (name === undefined || equals?.text !== '=' || rest.length > 0) return false;
  const literal = value === undefined ? '' : literalOf(value);
  const isWhole = text === `${name.text}=${value?.text ?? ''}`;
  return isWhole && literal !== undefined && isHarmless({name: name.text, value: literal});
}

/** The grammar finds most nested programs, but not all (a backtick in a default value in quotes). */
function unresolve(found: Found, text: string, why: string): void {
  found.unresolved ??= `"${excerpt(text)}" ${why}`;
  found.isOpaque ||= /[`(]/.test(text);
}

function opaque(found: Found, why: string): void {
  found.unresolved ??= why;
  found.isOpaque = true;
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
