import {distance} from 'fastest-levenshtein';

/** Letters in which a mistyped name may differ; half of a short one would be another word. */
const MAX_DISTANCE = 2;

/** True if a word may be meant for this name. */
export function isSpelledLike(word: string, name: string): boolean {
  return distance(word, name) <= Math.min(MAX_DISTANCE, name.length / 2);
}
