/*
 * What takes a list of any length: a call with more than about 100,000 arguments, such as `Math.max` with a list behind three dots, throws. `npm run arch` finds those.
 */

/** Adds all of them to the end of a list. */
export function addAll<Value>(list: Value[], added: Iterable<Value>): void {
  for (const value of added) list.push(value);
}

/** Returns the highest number, at least `least`. */
export function maxOf(numbers: Iterable<number>, least = -Infinity): number {
  let max = least;
  for (const number of numbers) max = Math.max(max, number);
  return max;
}

/** Returns the lowest number, at most `most`. */
export function minOf(numbers: Iterable<number>, most = Infinity): number {
  let min = most;
  for (const number of numbers) min = Math.min(min, number);
  return min;
}
