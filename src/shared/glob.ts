/**
 * One part of a pattern: a character, one non-separator (`one`), any number of these (`some`), or any text (`any`). `folders` and `within` together match any
 * number of whole folders.
 */
type PatternPart = 'any' | 'some' | 'one' | 'folders' | 'within' | {readonly character: string};

/** A parsed pattern. */
export interface Glob {
  readonly steps: readonly PatternPart[];
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
  const text = (step: PatternPart) => (step === 'folders' || step === 'within' ? '' : '\0');
  return steps.map((step) => (typeof step === 'object' ? step.character : text(step))).join('');
}

/** Returns its text before the first wildcard. */
export function literalStart({steps}: Glob): string {
  const end = steps.findIndex((step) => typeof step !== 'object');
  return withoutWildcards({steps: end === -1 ? steps : steps.slice(0, end), separator: undefined});
}

function* stepsOf(pattern: string, token: RegExp): Generator<PatternPart> {
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

/** The number of steps that a character advances. */
function advances(step: PatternPart | undefined, character: string, separator: string | undefined): number[] {
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
    case 'within':
      return isSeparator ? [0, 1] : [0];
    default:
      return step.character === character ? [1] : [];
  }
}

/** Adds the positions after steps that may match nothing; a set is iterated including elements added meanwhile. */
function withSkipped(places: Set<number>, steps: readonly PatternPart[]): Set<number> {
  for (const place of places) {
    const step = steps[place];
    if (step === 'any' || step === 'some') places.add(place + 1);
    if (step === 'folders') places.add(place + 1).add(place + 2);
  }
  return places;
}
