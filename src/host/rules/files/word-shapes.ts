import type {CommandParts} from '../commands.ts';
import type {WordText} from '../shell-parser.ts';
import type {Bases} from '../rule-target.ts';

/**
 * Wildcards for shell expansions: any text, text without `/`, one character, and any text without a leading dot. Private-use
 * characters.
 */
export const ANY = '\uE000';
export const SOME = '\uE001';
export const ONE = '\uE002';
export const SHOWN = '\uE003';
/** A digit as placeholder: no protected name contains one. */
const A_NUMBER = '0';
/** `*` and `?`, whose meaning depends on their position. */
const STAR = '\uE004';
const QUESTION = '\uE005';

/** Returns the possible values of a word after expansion, with wildcards for unknown parts. */
export type WordReader = (word: WordText) => readonly string[];

/** Maximum number of values per word, and for all words of a command; beyond it anything is possible. */
const MAX_SHAPES = 32;
const MAX_TOTAL = 4000;
/** Maximum nesting of variables. */
const MAX_VARIABLES = 3;

const TOKEN =
  /\\([^])|'([^']*)'|\$'([^']*)'|\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))|\$([$?#!])|(\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\$\{[^}]*\}|\$[\d@*-]?)|(\{(?:[^{}]|\{[^{}]*\})*\})|(\{)|\[[^\]]*\]|\*+|\?|"|[^]/gu;

/** Expands the words of one command: braces, and variables that the command itself assigns or whose value is known. */
export function createWordReader({texts, assigned}: CommandParts, {home, cwd}: Bases): WordReader {
  const known: Readonly<Record<string, string>> = {HOME: home, PWD: cwd};
  const named = new Set(texts.map(({typed}) => typed));
  const budget = {left: MAX_TOTAL};

  const values = new Map<string, readonly string[]>();

  /** The possible values of a variable; any text if unknown. */
  function valuesOf(name: string, depth: number): readonly string[] {
    const key = `${depth} ${name}`;
    const found = values.get(key) ?? findValues(name, depth);
    values.set(key, found);
    return found;
  }

  function findValues(name: string, depth: number): readonly string[] {
    const own = assigned.filter((each) => each.name === name);
    if (own.length === 0) return [(named.has(name) ? undefined : known[name]) ?? ANY];
    if (depth >= MAX_VARIABLES || own.length > MAX_SHAPES) return [ANY];
    const before = known[name];
    return [
      ...(before === undefined ? [] : [before]),
      ...own.flatMap(({value}) => (value ? shapesOf(value, depth + 1) : [ANY])),
    ];
  }

  function shapesOf({typed, literal}: WordText, depth = 0): readonly string[] {
    if (literal !== undefined) return [withoutMarks(literal)];
    let shapes: readonly string[] = [''];
    for (const match of typed.matchAll(TOKEN)) {
      const parts = partsOf(match, depth);
      const isTooMuch = shapes.length * parts.length > MAX_SHAPES || budget.left < shapes.length;
      const added = isTooMuch ? [ANY] : parts;
      budget.left -= added.length > 1 ? shapes.length * added.length : 0;
      shapes = shapes.flatMap((shape) => added.map((part) => shape + inPlace(part, shape)));
    }
    return [...new Set(shapes)];
  }

  function partsOf(match: RegExpMatchArray, depth: number): readonly string[] {
    const [text, escaped, raw, ansi, braced, variable, count, unknown, braces, brace] = match;
    const name = braced ?? variable;
    if (escaped !== undefined) return [escaped === '\n' ? '' : escaped];
    if (raw !== undefined) return [raw];
    if (ansi !== undefined) return [ansi.includes('\\') ? ANY : ansi];
    if (name !== undefined) return valuesOf(name, depth);
    if (count !== undefined) return [A_NUMBER];
    if (unknown !== undefined || brace !== undefined || text.startsWith('**')) return [ANY];
    if (braces !== undefined) return alternativesOf(braces.slice(1, -1), depth);
    if (text === '"') return [''];
    if (text === '*') return [STAR];
    return [text === '?' || (text.startsWith('[') && text.length > 1) ? QUESTION : withoutMarks(text)];
  }

  /** `{a,b}` is either; `{1..9}` is any of them; other braces are literal. */
  function alternativesOf(inner: string, depth: number): readonly string[] {
    const alternatives = apart(inner);
    if (alternatives.length > 1)
      return alternatives.flatMap((typed) => shapesOf({typed, literal: undefined}, depth));
    const range = /^(?:-?\d+\.\.-?\d+|([A-Za-z]\.\.[A-Za-z]))(?:\.\.-?\d+)?$/.exec(inner);
    if (range) return [range[1] === undefined ? A_NUMBER : ONE];
    if (inner.includes('..')) return [ANY];
    return shapesOf({typed: inner, literal: undefined}, depth).map((shape) => `{${shape}}`);
  }

  return (word) => shapesOf(word);
}

/** True if part of a word can only be expanded by the shell. */
export function isUnknown(shapes: readonly string[]): boolean {
  return shapes.some((shape) => shape.includes(ANY));
}

/** What a wildcard matches: no dot at the start of a name. */
function inPlace(part: string, before: string): string {
  const isAtStart = before === '' || before.endsWith('/');
  if (part === STAR) return isAtStart ? SHOWN + SOME : SOME;
  if (part === QUESTION) return isAtStart ? SHOWN : ONE;
  return part;
}

function withoutMarks(text: string): string {
  return text.replace(/[\uE000-\uE005]/g, ANY);
}

/** Splits at commas outside nested braces. */
function apart(inner: string): readonly string[] {
  const parts = [''];
  for (const [text] of inner.matchAll(/\\[^]|'[^']*'|"[^"]*"|\{[^{}]*\}|[^]/g))
    if (text === ',') parts.push('');
    else parts[parts.length - 1] += text;
  return parts;
}
