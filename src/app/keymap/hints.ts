import {keyNames, UNBOUND} from './key-names.ts';
import type {Action, Keymap} from './keymap.ts';
import {width} from '../../text/width.ts';

/** Words, or keys with what they do, which are drawn brighter than words. */
export type Hint = string | readonly [keys: string, does: string];

/** What knows the keys of actions, as they are shown. */
export interface KeyNames {
  readonly keyOf: (action: Action) => string;
}

const SEPARATOR = ' · ';

/** Columns of a rule beside its words. */
export const RULE_ENDS = 4;

/** Returns those that say something: not empty ones, nor those of actions without a key. */
export function shownHints(hints: readonly Hint[]): readonly Hint[] {
  return hints.filter((hint) => wordsOf(hint) !== '' && hint[0] !== UNBOUND);
}

/** Returns a function that makes hints: the keys of an action, or of those that belong together, and what they do. */
export function hintsOf({keyOf}: KeyNames) {
  return (actions: Action | readonly Action[], does: string, separator?: string): Hint => [
    joinKeys([actions].flat().map(keyOf), separator),
    does,
  ];
}

/** Joins keys, without `unbound` unless all of them are. */
export function joinKeys(keys: readonly string[], separator = ' '): string {
  return keys.filter((key) => key !== UNBOUND).join(separator) || UNBOUND;
}

/** Returns hints as a line: `Enter select · Esc close`. */
export function hintText(hints: readonly Hint[]): string {
  return shownHints(hints).map(wordsOf).join(SEPARATOR);
}

/** Returns a sentence that ends with what a key does, if the action has one: `Already accepted; u undoes that.` */
export function withKey(sentence: string, action: Action, does: string, keymap: Keymap): string {
  const clause = hintText([hintsOf(keyNames(keymap))(action, does)]);
  return `${[sentence, clause].filter(Boolean).join('; ')}.`;
}

/** Leaves out those at the end that do not fit, but never the first one. */
export function fittingHints(hints: readonly Hint[], columns: number): readonly Hint[] {
  const shown = shownHints(hints);
  let count = shown.length;
  while (count > 1 && !fit(shown.slice(0, count), columns)) count--;
  return shown.slice(0, count);
}

/** True if all of them fit in a line. */
export function fit(hints: readonly Hint[], columns: number): boolean {
  return width(hintText(hints)) <= columns;
}

/** Returns one part of the hints if not all of them fit, with the key that shows the next part. */
export function partOfHints(
  hints: readonly Hint[],
  columns: number,
  {hints: part = 0, keyOf}: KeyNames & {readonly hints?: number},
): readonly Hint[] {
  const all = shownHints(hints);
  if (fit(all, columns)) return all;
  const more = [keyOf('more_hints'), 'more'] as const;
  const room = columns - width(hintText([more])) - SEPARATOR.length;
  const parts: (readonly Hint[])[] = [];
  for (let rest = all; rest.length > 0; rest = rest.slice(parts.at(-1)?.length))
    parts.push(fittingHints(rest, room));
  return [...(parts[part % parts.length] ?? []), more];
}

function wordsOf(hint: Hint): string {
  return typeof hint === 'string' ? hint : hint.filter(Boolean).join(' ');
}
