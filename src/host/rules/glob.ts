/**
 * One step of a pattern: a character, one non-separator (`one`), any number of these (`some`), any text (`any`), one character that is neither separator nor
 * dot (`shown`: a shell's `*` and `?` skip hidden files), or that and the next step, or neither (`unhidden`). `folders` and `within` together match any number
 * of whole folders.
 */
export type Step =
  'any' | 'some' | 'one' | 'shown' | 'unhidden' | 'folders' | 'within' | {readonly character: string};

/** A parsed pattern. */
export interface Glob {
  readonly steps: readonly Step[];
  /** The character that `one` and `some` do not match. */
  readonly separator: string | undefined;
}

/** For commands and names: `*` matches any text, `?` one character; a backslash escapes the next character. */
export function textGlob(pattern: string): Glob {
  return {steps: [...stepsOf(pattern, /\\[^]|[^]/gu)], separator: undefined};
}

/** For paths: `*` and `?` match within one name, `**` across folders, and `**` as a folder name any number of folders. */
export function pathGlob(pattern: string): Glob {
  return {steps: [...stepsOf(pattern, /\\[^]|(?<=^|\/)\*\*\/|\*\*+|[^]/gu)], separator: '/'};
}

/** True if the pattern matches more than one text. */
export function hasWildcard({steps}: Glob): boolean {
  return steps.some((step) => typeof step === 'string');
}

/** Returns its text, with a character that occurs in no file name in place of each wildcard. */
export function withoutWildcards({steps}: Glob): string {
  // `folders` may match nothing.
  const text = (step: Step) => (step === 'folders' || step === 'within' ? '' : '\0');
  return steps.map((step) => (typeof step === 'object' ? step.character : text(step))).join('');
}

/** Returns its text before the first wildcard. */
export function literalStart({steps}: Glob): string {
  const end = steps.findIndex((step) => typeof step !== 'object');
  return withoutWildcards({steps: end === -1 ? steps : steps.slice(0, end), separator: undefined});
}

function* stepsOf(pattern: string, token: RegExp): Generator<Step> {
  for (const [text] of pattern.matchAll(token)) {
    if (text === '**/') yield* ['folders', 'within'] as const;
    else if (text.startsWith('**')) yield 'any';
    else if (text === '*') yield 'some';
    else if (text === '?') yield 'one';
    else yield {character: text.length > 1 && text.startsWith('\\') ? text.slice(1) : text};
  }
}

/**
 * True if the whole text matches. All possible positions in the pattern are tracked at once, so the time is at most text length times pattern length, whatever
 * the agent sends.
 */
export function matchesGlob({steps, separator}: Glob, text: string): boolean {
  let places = withSkipped(new Set([0]), steps);
  for (const character of text) {
    const next = new Set<number>();
    for (const place of places)
      for (const by of advances(steps[place], character, separator)) next.add(place + by);
    places = withSkipped(next, steps);
    if (places.size === 0) return false;
  }
  return places.has(steps.length);
}

/**
 * True if some text matches both patterns. Their steps are advanced together, so the time is at most the product of their lengths: a literal path against a
 * pattern costs as much as `matchesGlob`.
 */
export function intersects(one: Glob, other: Glob): boolean {
  const seen = new Set<number>();
  const waiting: (readonly [number, number])[] = [];
  const visit = (mine: Iterable<number>, theirs: Iterable<number>) => {
    for (const a of mine)
      for (const b of theirs) {
        const key = a * (other.steps.length + 1) + b;
        if (!seen.has(key)) waiting.push([a, b]);
        seen.add(key);
      }
  };
  visit(withSkipped(new Set([0]), one.steps), withSkipped(new Set([0]), other.steps));
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    const [a, b] = pair;
    if (a === one.steps.length && b === other.steps.length) return true;
    for (const character of charactersOf(one.steps[a], other.steps[b]))
      for (const mine of advances(one.steps[a], character, one.separator))
        for (const theirs of advances(other.steps[b], character, other.separator))
          visit(withSkipped(new Set([a + mine]), one.steps), withSkipped(new Set([b + theirs]), other.steps));
  }
  return false;
}

/** Representative characters for two steps: their own ones, or a separator and another one. */
function charactersOf(...steps: readonly (Step | undefined)[]): readonly string[] {
  const own = steps.flatMap((step) => (typeof step === 'object' ? [step.character] : []));
  return own.length > 0 ? own : ['/', '.', 'a'];
}

/** The number of steps that a character advances. */
function advances(step: Step | undefined, character: string, separator: string | undefined): number[] {
  const isSeparator = character === separator;
  switch (step) {
    case undefined:
    case 'folders':
      return [];
    case 'any':
      return [0];
    case 'some':
      return isSeparator ? [] : [0];
    case 'one':
      return isSeparator ? [] : [1];
    case 'shown':
    case 'unhidden':
      return isSeparator || character === '.' ? [] : [1];
    case 'within':
      return isSeparator ? [0, 1] : [0];
    default:
      return step.character === character ? [1] : [];
  }
}

/** Adds the positions after steps that may match nothing; a set is iterated including elements added meanwhile. */
function withSkipped(places: Set<number>, steps: readonly Step[]): Set<number> {
  for (const place of places) {
    const step = steps[place];
    if (step === 'any' || step === 'some') places.add(place + 1);
    if (step === 'unhidden') places.add(place + 2);
    if (step === 'folders') places.add(place + 1).add(place + 2);
  }
  return places;
}
