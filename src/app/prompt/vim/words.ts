import {nextEdge, previousEdge} from '../graphemes.ts';

/** `big` words are all that stands between blanks. */
export type WordSize = 'small' | 'big';

const kinds = [
  /^\s/u,
  // Scripts that write words without blanks change kinds where a word may end.
  /^\p{Script=Hiragana}/u,
  /^\p{Script=Katakana}/u,
  /^\p{Script=Han}/u,
  /^[\p{L}\p{M}\p{N}_]/u,
  /^[\u{100000}-\u{10FFFD}]/u,
] as const;

const BLANK = 0;

/** Characters of one kind stand in one word. */
export function kindAt(text: string, at: number, size: WordSize): number {
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

/** Where the next word begins, or an empty line; the text's end when there is none. */
export function nextStart(text: string, from: number, size: WordSize): number {
  let at = from;
  const kind = kindAt(text, at, size);
  if (kind !== BLANK) while (at < text.length && kindAt(text, at, size) === kind) at = nextEdge(text, at);
  while (at < text.length && isBlank(text, at)) {
    if (at > from && isEmptyLine(text, at)) return at;
    at = nextEdge(text, at);
  }
  return at;
}

/** Where the last character of this word or the next one begins. */
export function nextEnd(text: string, from: number, size: WordSize): number {
  let at = nextEdge(text, from);
  while (at < text.length && isBlank(text, at)) at = nextEdge(text, at);
  if (at >= text.length) return previousEdge(text, text.length);
  return runEnd(text, at, size).last;
}

/** Where this word or the one before begins, or an empty line; 0 when there is none. */
export function previousStart(text: string, from: number, size: WordSize): number {
  let at = previousEdge(text, from);
  while (at > 0 && isBlank(text, at) && !isEmptyLine(text, at)) at = previousEdge(text, at);
  return isEmptyLine(text, at) ? at : runStart(text, at, size);
}

/** The start of the characters of one kind around a place, within its line. */
export function runStart(text: string, from: number, size: WordSize): number {
  const kind = kindAt(text, from, size);
  let at = from;
  while (at > 0 && text[at - 1] !== '\n' && kindAt(text, previousEdge(text, at), size) === kind)
    at = previousEdge(text, at);
  return at;
}

/** The end of the characters of one kind around a place, within its line, and where the last of them begins. */
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
