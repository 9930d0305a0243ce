import * as fuzzysort from 'fuzzysort';
import {memoize} from '../../session/memoize.ts';

/** An item that can be found by typing. */
export interface Findable {
  readonly id: string;
  readonly label: string;
  readonly group?: string | undefined;
  readonly description?: string | undefined;
}

/** With this many literal matches, fuzzy matches are not searched. */
const ENOUGH = 100;
/** How much a label has to resemble what was typed, from 0 to 1: more where something has it word for word. */
const RESEMBLANCE = 0.28;
const CLOSE_RESEMBLANCE = 0.5;

/**
 * The items that fit what was typed, the best first: those with every word of it in the label, id, group or description,
 * then those whose label only resembles it. Items of one group stay together; otherwise the given order decides.
 */
export function fuzzyFind<Item extends Findable>(items: readonly Item[], typed: string): readonly Item[] {
  const words = wordsOf(typed);
  if (words.length === 0) return items;
  return lastOf(
    bestLists,
    items,
    typed,
  )(() => {
    const found = foundLiterally(items, words);
    return inGroups(found.length < ENOUGH ? [...found, ...resembling(items, words, found)] : found);
  });
}

/** The items with every word of what was typed anywhere in them, in the given order. */
export function containing<Item extends Findable>(items: readonly Item[], typed: string): readonly Item[] {
  const words = wordsOf(typed);
  if (words.length === 0) return items;
  return lastOf(
    orderedLists,
    items,
    typed,
  )(() => {
    const texts = textsOf(items);
    return items.filter((_, index) => words.every((word) => texts[index]?.all.includes(word)));
  });
}

type Lists = WeakMap<readonly Findable[], {readonly typed: string; readonly items: readonly Findable[]}>;
const bestLists: Lists = new WeakMap();
const orderedLists: Lists = new WeakMap();

/** What was found last stays, since keys and drawing ask for it several times; the same reference as long as nothing changes. */
function lastOf<Item extends Findable>(lists: Lists, items: readonly Item[], typed: string) {
  return (find: () => readonly Item[]): readonly Item[] => {
    const known = lists.get(items);
    if (known?.typed === typed) return known.items as readonly Item[];
    const found = find();
    lists.set(items, {typed, items: found});
    return found;
  };
}

/** The offsets in a label (UTF-16 units, ascending) that fit what was typed; empty when something else of the item does. */
export function matchOffsets(label: string, typed: string): readonly number[] {
  const literal = matchedWords(label, typed);
  if (literal.length > 0 || typed.trim() === '') return literal;
  const marks = fuzzysort.single(wordsOf(typed).join(' '), label)?.indexes ?? [];
  return marks.toSorted((one, other) => one - other);
}

/** The offsets in a text at which the words that were typed stand first. */
export function matchedWords(text: string, typed: string): readonly number[] {
  const lower = text.toLowerCase();
  // What changes its length with its case cannot be marked by offset.
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

/** By rank: what was typed is the whole name; the name begins with it; its words are in the name; they are anywhere. */
function foundLiterally<Item extends Findable>(items: readonly Item[], words: readonly string[]): Item[] {
  const whole = words.join(' ');
  const ranks: Item[][] = [[], [], [], []];
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

function resembling<Item extends Findable>(
  items: readonly Item[],
  words: readonly string[],
  found: readonly Item[],
): readonly Item[] {
  // One letter resembles only what it stands in.
  if (words.join('').length < 2) return [];
  const threshold = found.length > 0 ? CLOSE_RESEMBLANCE : RESEMBLANCE;
  const known = new Set(found);
  return fuzzysort
    .go(words.join(' '), targetsOf(items), {key: ({label}) => label, threshold, limit: ENOUGH})
    .map(({obj, score}) => ({item: items[obj.index], score, index: obj.index}))
    .sort((one, other) => other.score - one.score || one.index - other.index)
    .flatMap(({item}) => (item === undefined || known.has(item) ? [] : item));
}

function inGroups<Item extends Findable>(items: readonly Item[]): readonly Item[] {
  const groups = new Map<string | undefined, Item[]>();
  for (const item of items) {
    const group = groups.get(item.group);
    if (group) group.push(item);
    else groups.set(item.group, [item]);
  }
  return groups.size < 2 ? items : [...groups.values()].flat();
}

interface Texts {
  readonly names: readonly string[];
  readonly all: string;
}

const textsOf = memoize((items: readonly Findable[]): readonly Texts[] =>
  items.map(({id, label, group = '', description = ''}) => {
    const names = [label.toLowerCase(), id.toLowerCase()];
    return {names, all: [...names, group.toLowerCase(), description.toLowerCase()].join('\n')};
  }),
);

const targetsOf = memoize((items: readonly Findable[]) =>
  items.map(({label}, index) => ({label: fuzzysort.prepare(label), index})),
);

/** Does beforehand what the first key in a long list would otherwise wait for. */
export function prepareToFind(items: readonly Findable[]): void {
  textsOf(items);
  targetsOf(items);
}
