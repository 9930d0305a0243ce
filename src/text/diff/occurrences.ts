/**
 * Returns where a text occurs in another one, also overlapping, at most so many times; nowhere if it is empty. The time is linear for all texts (Knuth, Morris and
 * Pratt), where that of `indexOf` is quadratic for texts that repeat themselves.
 */
export function occurrences(part: string, text: string, most: number): readonly number[] {
  if (part === '') return [];
  const found: number[] = [];
  const restarts = restartsOf(part);
  for (let at = 0, matched = 0; at < text.length && found.length < most; at++) {
    matched = nextMatched(part, restarts, {matched, unit: text.charCodeAt(at)});
    if (matched === part.length) found.push(at + 1 - matched);
  }
  return found;
}

/** The length of the longest proper prefix that ends at each unit. */
function restartsOf(part: string): Int32Array {
  const restarts = new Int32Array(part.length);
  for (let at = 1, matched = 0; at < part.length; at++) {
    matched = nextMatched(part, restarts, {matched, unit: part.charCodeAt(at)});
    restarts[at] = matched;
  }
  return restarts;
}

/** Returns how many units of the beginning match up to this unit. */
function nextMatched(
  part: string,
  restarts: Int32Array,
  {matched, unit}: {readonly matched: number; readonly unit: number},
): number {
  let now = matched;
  while (now > 0 && part.charCodeAt(now) !== unit) now = restarts[now - 1] ?? 0;
  return part.charCodeAt(now) === unit ? now + 1 : now;
}

/** A shorter text is looked for faster with `includes`. */
const SHORT = 64;

/** True if a text holds another one, which may be empty, in linear time. */
export function holdsText(text: string, part: string): boolean {
  return part.length < SHORT ? text.includes(part) : occurrences(part, text, 1).length > 0;
}
