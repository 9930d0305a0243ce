import {sanitizeLine} from '../../text/sanitize.ts';

/** A place of a hint, as far as it says what belongs there. */
export interface HintedArgument {
  /** Literal values: of `[debug|release]`, these two. */
  readonly values: readonly string[];
  /** Set for `<file>`, `[folder]` and the like, whatever else there is. */
  readonly path: 'file' | 'folder' | undefined;
  /** False for `<…>`. */
  readonly isOptional: boolean;
  /** The rest of the hint; empty at its end. */
  readonly rest: string;
}

interface Word {
  /** Without brackets and dots. */
  readonly text: string;
  /** The bracket that it began with; empty for a bare word. */
  readonly bracket: string;
  /** True with `…` or `...`. */
  readonly repeats: boolean;
  /** As written. */
  readonly written: string;
}

const MAX_HINT = 2000;
const MAX_VALUE = 100;
const OPENING = '[<({';
const CLOSING = ']>)}';

/**
 * Returns what belongs behind the words that are typed already; undefined if the hint does not say. Reads hints as people write them:
 * `<add|remove> <name>`, `[debug|release] [file...]`, `add <file> | list`. Anything else is prose, and says nothing.
 */
export function argumentHintAt(hint: string, typed: readonly string[]): HintedArgument | undefined {
  const sequences = sequencesOf(hint.slice(0, MAX_HINT));
  const isAlone = sequences.length === 1;
  const places = sequences.flatMap((words) => {
    const fits = isAlone || typed.every((word, index) => isLiterally(words[index], word));
    const last = words.at(-1);
    const word = words[typed.length] ?? (last?.repeats ? last : undefined);
    if (!fits || !word) return [];
    const rest = words.slice(typed.length + 1).map(({written}) => written);
    return [placeOf(word, {isLiteral: !isAlone, isOnly: words.length === 1, rest: rest.join(' ')})];
  });
  const values = [...new Set(places.flatMap((place) => place.values))];
  const paths = places.flatMap(({path}) => path ?? []);
  if (values.length === 0 && paths.length === 0) return undefined;
  return {
    values,
    path: paths.includes('file') ? 'file' : paths[0],
    isOptional: places.some((place) => place.isOptional),
    rest: places.find(({rest}) => rest !== '')?.rest ?? '',
  };
}

/** True if a word may have been typed at this place: what is in brackets stands for anything. */
function isLiterally(word: Word | undefined, typed: string): boolean {
  if (!word) return false;
  return word.bracket !== '' || word.text.split('|').includes(typed);
}

/** The words of a hint; ` | ` between bare words separates alternatives that have words of their own. */
function sequencesOf(hint: string): readonly (readonly Word[])[] {
  const sequences: Word[][] = [[]];
  for (const written of wordsOf(hint)) {
    if (written === '|') sequences.push([]);
    // A remark.
    else if (!written.startsWith('(') || written.includes('|')) sequences.at(-1)?.push(wordOf(written));
  }
  return sequences.filter((words) => words.length > 0);
}

/** Splits at blanks outside brackets. A bracket without a partner ends with the hint, or is none. */
function wordsOf(hint: string): readonly string[] {
  const words: string[] = [];
  let word = '';
  let depth = 0;
  for (const character of hint) {
    if (OPENING.includes(character)) depth += 1;
    else if (CLOSING.includes(character)) depth = Math.max(0, depth - 1);
    if (depth > 0 || !/\s/.test(character)) word += character;
    else if (word !== '') words.push(word);
    if (depth === 0 && /\s/.test(character)) word = '';
  }
  return word === '' ? words : [...words, word];
}

function wordOf(written: string): Word {
  const repeats = /(?:\.{3}|…)[\]>)}]*$/.test(written);
  const plain = written.replace(/(?:\.{3}|…)(?=[\]>)}]*$)/, '');
  const bracket = OPENING.includes(plain.charAt(0)) ? plain.charAt(0) : '';
  const end = plain.length - Number(bracket !== '' && CLOSING.includes(plain.charAt(plain.length - 1)));
  return {text: plain.slice(bracket.length, end).trim(), bracket, repeats, written};
}

interface Around {
  /** True if a bare word is meant literally. */
  readonly isLiteral: boolean;
  readonly isOnly: boolean;
  readonly rest: string;
}

function placeOf({text, bracket}: Word, {isLiteral, isOnly, rest}: Around): HintedArgument {
  const alternatives = alternativesOf(text);
  const kinds = alternatives.map(pathKind);
  const isBare = bracket === '';
  const isChoice = alternatives.length > 1 || (isBare && isLiteral);
  const values = alternatives.filter(
    (each, index) => kinds[index] === undefined && (isChoice || each.startsWith('-')),
  );
  // `--mode=fast|slow` has no value `slow`.
  const areWhole = values.every((value) => value.includes('=') === values[0]?.includes('='));
  const hasPath = !isBare || isOnly || isChoice;
  return {
    values: areWhole ? values.flatMap(literalOf) : [],
    path: hasPath ? (kinds.find((kind) => kind === 'file') ?? kinds.find(Boolean)) : undefined,
    isOptional: bracket !== '<',
    rest,
  };
}

/** Splits at each `|` outside inner brackets. */
function alternativesOf(text: string): readonly string[] {
  const alternatives = [''];
  let depth = 0;
  for (const character of text) {
    if (OPENING.includes(character)) depth += 1;
    else if (CLOSING.includes(character)) depth = Math.max(0, depth - 1);
    if (character === '|' && depth === 0) alternatives.push('');
    else alternatives[alternatives.length - 1] += character;
  }
  return alternatives.map((each) => each.trim()).filter((each) => each !== '');
}

const FILE_NAME = /^(?:.*[-_ ])?(?:files?|file-?name|file-?path|paths?)\d*\??$/i;
const FOLDER_NAME = /^(?:.*[-_ ])?(?:folders?|dirs?|directory|directories)\d*\??$/i;

/** Returns what a name means: `file`, `source-path`, `[folder]`. */
function pathKind(name: string): HintedArgument['path'] {
  const plain = name.replaceAll(/^[[<({]|[\]>)}]$/g, '').replace(/:.*/, '');
  if (plain.includes('=')) return undefined;
  return FILE_NAME.test(plain) ? 'file' : FOLDER_NAME.test(plain) ? 'folder' : undefined;
}

/** Returns a value as it can be typed: of `add <name>`, the first word. None for what is no literal or would deceive. */
function literalOf(alternative: string): readonly string[] {
  const [, first = alternative] = /^(\S+)\s+[[<({]/.exec(alternative) ?? [];
  const value = first.replace(/^(["'])(.*)\1$/, '$2').trim();
  const isUsable =
    value !== '' &&
    value.length <= MAX_VALUE &&
    sanitizeLine(value) === value &&
    !/[\u2400-\u2426\ufffd[\]<>(){}]/.test(value) &&
    !(value.startsWith('-') && /\s/.test(value)) &&
    !(value.includes('"') && value.includes("'")) &&
    !/^(?:\.{3}|…)$/.test(value);
  return isUsable ? [value] : [];
}
