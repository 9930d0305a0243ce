import {width} from '../../text/width.ts';

/** Words, or keys with what they do, which are drawn brighter than words. */
export type Hint = string | readonly [keys: string, does: string];

/** Returns hints as a line: `Enter select · Esc close`. Empty ones are ignored. */
export function hintText(hints: readonly Hint[]): string {
  return hints.map(wordsOf).filter(Boolean).join(' · ');
}

/** Leaves out those at the end that do not fit, but never the first one. */
export function fittingHints(hints: readonly Hint[], columns: number): readonly Hint[] {
  const shown = hints.filter((hint) => wordsOf(hint) !== '');
  let count = shown.length;
  while (count > 1 && width(hintText(shown.slice(0, count))) > columns) count--;
  return shown.slice(0, count);
}

function wordsOf(hint: Hint): string {
  return typeof hint === 'string' ? hint : hint.filter(Boolean).join(' ');
}
