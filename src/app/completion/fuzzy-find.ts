import * as fuzzysort from 'fuzzysort';
import {memoize} from '../../session/memoize.ts';

/** An item that can be searched. */
export interface Findable {
  readonly id: string;
  readonly label: string;
  /** Drawn before the description. */
  readonly value?: string;
  readonly group?: string | undefined;
  readonly description?: string | undefined;
  /** Other words that find it, which are not shown. */
  readonly aliases?: string | undefined;
}

/** With this many literal matches, fuzzy matches are not searched. */
const ENOUGH = 100;
/** Minimum similarity of a label, from 0 to 1: higher if there are literal matches. */
const RESEMBLANCE = 0.28;
const CLOSE_RESEMBLANCE = 0.5;

/** Finds items by the typed words. */
type Find = <Item extends Findable>(items: readonly Item[], typed: string) => readonly Item[];

/**
 * Returns the matching items, best first: those with every typed word in label, id, value, group or description, then those with a similar label. Items of a group
 * stay together; otherwise the original order decides.
 */
export const fuzzyFind = remembering((items, words) => {
  const found = foundLiterally(items, words);
  return inGroups(found.length < ENOUGH ? [...found, ...resembling(items, words, found)] : found);
});

/** Returns the items that contain every typed word, in the original order. */
export const containing = remembering((items, words) => {
  const texts = textsOf(items);
  return items.filter((_, index) => words.every((word) => texts[index]?.all.includes(word)));
});

/** Caches the last result, since keys and drawing ask for it several times; the same reference as long as nothing changes. */
function remembering(
  find: (items: readonly Findable[], words: readonly string[]) => readonly Findable[],
): Find {
  const last = new WeakMap<
    readonly Findable[],
    {readonly typed: string; readonly found: readonly Findable[]}
  >();
  return <Item extends Findable>(items: readonly Item[], typed: string) => {
    const words = wordsOf(typed);
    if (words.length === 0) return items;
    const known = last.get(items);
    const found = known?.typed === typed ? known.found : find(items, words);
    last.set(items, {typed, found});
    return found as readonly Item[];
  };
}

/** Returns the offsets in a label (UTF-16 units, ascending) that match the typed text; empty if another field matches. */
export function matchOffsets(label: string, typed: string): readonly number[] {
  const literal = matchedWords(label, typed);
  if (literal.length > 0 || typed.trim() === '') return literal;
  const marks = fuzzysort.single(wordsOf(typed).join(' '), label)?.indexes ?? [];
  return marks.toSorted((one, other) => one - other);
}

/** Returns the offsets of the first occurrence of each typed word. */
export function matchedWords(text: string, typed: string): readonly number[] {
  const lower = text.toLowerCase();
  // Text that changes its length with its case cannot be marked by offset.
  if (lower.length !== text.length) return [];
  const marks = wordsOf(typed).flatMap((word) => {
    const at = lower.indexOf(word);
    return at === -1 ? [] : Array.from({length: word.length}, (_, index) => at + index);
  });
  return [...new Set(marks)].sort((one, other) => one - other);
}

function wordsOf(typed: string): readonly string[] {
  return typed.toLowerCase().split(/\s+/).filter(Boolean);
}

/** By rank: the whole name; the start of the name; words in the name; words anywhere. */
function foundLiterally(items: readonly Findable[], words: readonly string[]): readonly Findable[] {
  const whole = words.join(' ');
  const ranks: Findable[][] = [[], [], [], []];
  for (const [index, {names, all}] of textsOf(items).entries()) {
    if (!words.every((word) => all.includes(word))) continue;
    const item = items[index];
    if (item) ranks[rankOf(names, words, whole)]?.push(item);
  }
  return ranks.flat();
}

function rankOf(names: readonly string[], words: readonly string[], whole: string): number {
  if (names.includes(whole)) return 0;
  if (names.some((name) => name.startsWith(whole))) return 1;
  return words.every((word) => names.some((name) => name.includes(word))) ? 2 : 3;
}

function resembling(
  items: readonly Findable[],
  words: readonly string[],
  found: readonly Findable[],
): readonly Findable[] {
  // A single letter is only matched literally.
  if (words.join('').length < 2) return [];
  const threshold = found.length > 0 ? CLOSE_RESEMBLANCE : RESEMBLANCE;
  const known = new Set(found);
  return fuzzysort
    .go(words.join(' '), targetsOf(items), {key: ({label}) => label, threshold, limit: ENOUGH})
    .map(({obj, score}) => ({item: items[obj.index], score, index: obj.index}))
    .sort((one, other) => other.score - one.score || one.index - other.index)
    .flatMap(({item}) => (item === undefined || known.has(item) ? [] : item));
}

function inGroups(items: readonly Findable[]): readonly Findable[] {
  const groups = new Map<string | undefined, Findable[]>();
  for (const item of items) {
    const group = groups.get(item.group);
    if (group) group.push(item);
    else groups.set(item.group, [item]);
  }
  return groups.size < 2 ? items : [...groups.values()].flat();
}

const textsOf = memoize(
  (items: readonly Findable[]): readonly {readonly names: readonly string[]; readonly all: string}[] =>
    items.map(({id, label, aliases = '', value = '', group = '', description = ''}) => {
      const names = [label, id, aliases].map((name) => name.toLowerCase());
      return {names, all: [...names, `${value}\n${group}\n${description}`.toLowerCase()].join('\n')};
    }),
);

const targetsOf = memoize((items: readonly Findable[]) =>
  items.map(({label}, index) => ({label: fuzzysort.prepare(label), index})),
);

/** Builds the index in advance, so that the first key press in a long list does not wait for it. */
export function prepareToFind(items: readonly Findable[]): void {
  textsOf(items);
  targetsOf(items);
}
