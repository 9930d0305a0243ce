/** How well a typed segment matches one of a path; the first that applies. */
const EQUAL = 1;
const START = 0.9;
const PART = 0.6;
/** Its letters in order, from the first one on: `hndl` in `handlers`. */
const LETTERS = 0.3;

/** Added if the first segment of both matches, if two matching segments follow each other, and if the last one of both matches. */
const AT_START = 0.2;
const ADJACENT = 0.3;
const AT_END = 0.3;

/**
 * Returns a function that rates paths by a typed one: each typed segment has to match a segment of the path, in order. The rating is undefined if one does not;
 * a higher one is better.
 */
export function rateBySegments(typed: string): (path: string) => number | undefined {
  const wanted = typed.toLowerCase().split('/');
  const isInside = typed.endsWith('/');
  return (path) => {
    const end = path.endsWith('/') && !isInside ? -1 : undefined;
    return rate(wanted, path.slice(0, end).toLowerCase().split('/'));
  };
}

function rate(wanted: readonly string[], segments: readonly string[]): number | undefined {
  const last = segments.length - 1;
  /** Ratings of the wanted segments from the current one on, if it matches at an index; `-Infinity` if it cannot. */
  let exactly: number[] = [];
  /** The best of these from an index on. */
  let from: number[] = [];
  for (const [before, word] of wanted.toReversed().entries()) {
    const isFirst = before === wanted.length - 1;
    const following = {exactly, from};
    exactly = segments.map((segment, index) => {
      const own = similarity(word, segment) + (isFirst && index === 0 ? AT_START : 0);
      if (before === 0) return own + (index === last ? AT_END : 0);
      const adjacent = (following.exactly[index + 1] ?? -Infinity) + ADJACENT;
      return own + Math.max(adjacent, following.from[index + 2] ?? -Infinity);
    });
    from = exactly.toReversed();
    for (let index = 1; index < from.length; index++)
      from[index] = Math.max(from[index] ?? -Infinity, from[index - 1] ?? -Infinity);
    from.reverse();
  }
  const [best = -Infinity] = from;
  return best === -Infinity ? undefined : best;
}

function similarity(word: string, segment: string): number {
  if (segment === word) return EQUAL;
  if (segment.startsWith(word)) return START;
  if (segment.includes(word)) return PART;
  return segment.charAt(0) === word.charAt(0) && hasLetters(segment, word) ? LETTERS : -Infinity;
}

function hasLetters(segment: string, word: string): boolean {
  let at = -1;
  for (const letter of word) {
    at = segment.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
}
