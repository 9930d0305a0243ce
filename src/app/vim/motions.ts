import {nextEdge, previousEdge, firstInLine, lineEnd, lineStart} from '../editor/graphemes.ts';
import type {MotionKey} from './parse.ts';
import type {CharacterSearch} from './vim-state.ts';

interface Place {
  readonly text: string;
  readonly caret: number;
  readonly count: number | undefined;
  readonly findCharacter: CharacterSearch | undefined;
}

/** The target of a motion and the range for an operator: exclusive, inclusive or linewise. */
export interface MotionTarget {
  readonly to: number;
  readonly takes: 'before' | 'with' | 'lines';
}

/** Undefined if the motion does not move. */
export function move(place: Place, {key, character}: MotionKey): MotionTarget | undefined {
  if (character !== undefined) return findCharacter(place, {key: key as CharacterSearch['key'], character});
  return motions[key]?.(place);
}

const opposite = {f: 'F', F: 'f', t: 'T', T: 't'} as const;

const motions: Readonly<Record<string, (place: Place) => MotionTarget | undefined>> = {
  h: (place) =>
    before(times(place, (text, at) => Math.max(lineStart(text, place.caret), previousEdge(text, at)))),
  l: (place) => before(times(place, (text, at) => Math.min(lineEnd(text, place.caret), nextEdge(text, at)))),
  j: (place) => lines(place, 1),
  k: (place) => lines(place, -1),
  w: (place) => before(times(place, (text, at) => nextStart(text, at, 'small'))),
  W: (place) => before(times(place, (text, at) => nextStart(text, at, 'big'))),
  b: (place) => before(times(place, (text, at) => previousStart(text, at, 'small'))),
  B: (place) => before(times(place, (text, at) => previousStart(text, at, 'big'))),
  e: (place) => ({to: times(place, (text, at) => nextEnd(text, at, 'small')), takes: 'with'}),
  E: (place) => ({to: times(place, (text, at) => nextEnd(text, at, 'big')), takes: 'with'}),
  0: ({text, caret}) => before(lineStart(text, caret)),
  '^': ({text, caret}) => before(firstInLine(text, caret)),
  $: ({text, caret, count = 1}) => before(lineEnd(text, lineBelow(text, caret, count - 1) ?? text.length)),
  gg: ({text, count = 1}) => ({
    to: firstInLine(text, lineBelow(text, 0, count - 1) ?? text.length),
    takes: 'lines',
  }),
  G: ({text, count}) => ({
    to: firstInLine(text, (count === undefined ? undefined : lineBelow(text, 0, count - 1)) ?? text.length),
    takes: 'lines',
  }),
  '%': ({text, caret}) => {
    const to = matchingBracket(text, caret);
    return to === undefined ? undefined : {to, takes: 'with'};
  },
  '{': (place) => before(times(place, (text, at) => paragraph(text, at, -1))),
  '}': (place) => before(times(place, (text, at) => paragraph(text, at, 1))),
  ';': (place) => place.findCharacter && findCharacter(place, place.findCharacter, 'repeated'),
  ',': (place) =>
    place.findCharacter &&
    findCharacter(place, {...place.findCharacter, key: opposite[place.findCharacter.key]}, 'repeated'),
};

function before(to: number): MotionTarget {
  return {to, takes: 'before'};
}

/** Repeats a step `count` times, and stops when it leads nowhere. */
function times({text, caret, count = 1}: Place, step: (text: string, at: number) => number): number {
  let at = caret;
  for (let done = 0; done < count; done++) {
    const next = step(text, at);
    if (next === at) break;
    at = next;
  }
  return at;
}

/** Returns the start of the line `by` lines below an offset; undefined if there are fewer. */
export function lineBelow(text: string, at: number, by: number): number | undefined {
  let start = lineStart(text, at);
  for (let done = 0; done < by; done++) {
    const end = lineEnd(text, start);
    if (end === text.length) return undefined;
    start = end + 1;
  }
  return start;
}

/** Moves by whole lines, for an operator; the caret alone moves by displayed rows instead. */
function lines({text, caret, count = 1}: Place, direction: 1 | -1): MotionTarget | undefined {
  if (direction === 1) {
    const to = lineBelow(text, caret, count);
    return to === undefined ? undefined : {to, takes: 'lines'};
  }
  let to = lineStart(text, caret);
  for (let done = 0; done < count; done++) {
    if (to === 0) return undefined;
    to = lineStart(text, to - 1);
  }
  return {to, takes: 'lines'};
}

/** Returns the next blank line in one direction, or the end of the text. */
function paragraph(text: string, from: number, direction: 1 | -1): number {
  if (direction === 1) {
    const begun = text.slice(from).search(/[^\n]/);
    const end = begun === -1 ? -1 : text.indexOf('\n\n', from + begun);
    return end === -1 ? text.length : end + 1;
  }
  let at = from;
  // From an empty line, skips to the preceding text first.
  if (text[at] === '\n') while (at > 0 && text[at - 1] === '\n') at--;
  return at < 2 ? 0 : text.lastIndexOf('\n\n', at - 2) + 1;
}

/** Finds a character in the line; a repeated `t` does not stop before the same one. */
function findCharacter(
  {text, caret, count = 1}: Place,
  {key, character}: CharacterSearch,
  repeated?: 'repeated',
): MotionTarget | undefined {
  const isForward = key === 'f' || key === 't';
  const isTill = key === 't' || key === 'T';
  const beside = isForward ? nextEdge(text, caret) : previousEdge(text, caret);
  let at = isTill && repeated && text.startsWith(character, beside) ? beside : caret;
  for (let done = 0; done < count; done++) {
    at = isForward
      ? text.indexOf(character, nextEdge(text, at))
      : at === 0
        ? -1
        : text.lastIndexOf(character, at - 1);
    if (at < lineStart(text, caret) || at >= lineEnd(text, caret)) return undefined;
  }
  const till = isForward ? previousEdge(text, at) : nextEdge(text, at);
  return {to: isTill ? till : at, takes: isForward ? 'with' : 'before'};
}

/** `big` words are separated by whitespace only. */
export type WordSize = 'small' | 'big';

const kinds = [
  /^\s/u,
  // In scripts without blanks, a word may end where the script changes.
  /^\p{Script=Hiragana}/u,
  /^\p{Script=Katakana}/u,
  /^\p{Script=Han}/u,
  /^[\p{L}\p{M}\p{N}_]/u,
  /^[\u{100000}-\u{10FFFD}]/u,
] as const;

const BLANK = 0;

/** Characters of the same kind form a word. */
function kindAt(text: string, at: number, size: WordSize): number {
  const cluster = text.slice(at, nextEdge(text, at));
  const kind = kinds.findIndex((pattern) => pattern.test(cluster));
  return size === 'big' && kind !== BLANK ? 1 : kind;
}

export function isBlank(text: string, at: number): boolean {
  return kindAt(text, at, 'big') === BLANK;
}

function isEmptyLine(text: string, at: number): boolean {
  return text[at] === '\n' && (at === 0 || text[at - 1] === '\n');
}

/** Returns the start of the next word or empty line; the text's end if there is none. */
function nextStart(text: string, from: number, size: WordSize): number {
  let at = from;
  const kind = kindAt(text, at, size);
  if (kind !== BLANK) while (at < text.length && kindAt(text, at, size) === kind) at = nextEdge(text, at);
  while (at < text.length && isBlank(text, at)) {
    if (at > from && isEmptyLine(text, at)) return at;
    at = nextEdge(text, at);
  }
  return at;
}

/** Returns the offset of the last character of this or the next word. */
function nextEnd(text: string, from: number, size: WordSize): number {
  let at = nextEdge(text, from);
  while (at < text.length && isBlank(text, at)) at = nextEdge(text, at);
  if (at >= text.length) return previousEdge(text, text.length);
  return runEnd(text, at, size).last;
}

/** Returns the start of this or the previous word, or of an empty line; 0 if there is none. */
function previousStart(text: string, from: number, size: WordSize): number {
  let at = previousEdge(text, from);
  while (at > 0 && isBlank(text, at) && !isEmptyLine(text, at)) at = previousEdge(text, at);
  return isEmptyLine(text, at) ? at : runStart(text, at, size);
}

/** Returns the start of the run of same-kind characters around an offset in its line. */
export function runStart(text: string, from: number, size: WordSize): number {
  const kind = kindAt(text, from, size);
  let at = from;
  while (at > 0 && text[at - 1] !== '\n' && kindAt(text, previousEdge(text, at), size) === kind)
    at = previousEdge(text, at);
  return at;
}

/** Returns the end of the run of same-kind characters around an offset in its line, and the start of the last one. */
export function runEnd(
  text: string,
  from: number,
  size: WordSize,
): {readonly last: number; readonly end: number} {
  const kind = kindAt(text, from, size);
  let last = from;
  let end = nextEdge(text, from);
  while (end < text.length && text[end] !== '\n' && kindAt(text, end, size) === kind) {
    last = end;
    end = nextEdge(text, end);
  }
  return {last, end};
}

const pairs: Readonly<Record<string, string>> = {'(': ')', '[': ']', '{': '}', '<': '>'};

interface Enclosed {
  /** Offsets of the opening and the closing bracket. */
  readonly open: number;
  readonly close: number;
}

/** Returns the innermost pair of brackets around or at an offset. */
export function enclosingPair(text: string, at: number, opening: string): Enclosed | undefined {
  const closing = pairs[opening];
  if (closing === undefined) return undefined;
  let depth = 0;
  for (let open = at; open >= 0; open--) {
    if (text[open] === closing && open !== at) depth++;
    if (text[open] !== opening || depth-- > 0) continue;
    const close = closingOf(text, open);
    return close === undefined ? undefined : {open, close};
  }
  return undefined;
}

/** Returns the counterpart of the first bracket at or after an offset in its line. */
function matchingBracket(text: string, from: number): number | undefined {
  for (let at = from; at < text.length && text[at] !== '\n'; at++) {
    const character = text[at] ?? '';
    if (character in pairs && character !== '<') return closingOf(text, at);
    const opening = Object.keys(pairs).find((open) => open !== '<' && pairs[open] === character);
    if (opening !== undefined) return enclosingPair(text, at, opening)?.open;
  }
  return undefined;
}

function closingOf(text: string, open: number): number | undefined {
  const opening = text[open] ?? '';
  const closing = pairs[opening];
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === opening) depth++;
    if (text[at] === closing && --depth === 0) return at;
  }
  return undefined;
}
