const graphemes = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

/** Adjacent characters of these ranges never combine, so the edge between them needs no segmenter: ASCII, Latin, Cyrillic, kana and ideographs. */
const apart = /[\n -~\u00c0-\u024f\u0400-\u0481\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]{2}/y;

/** Maximum search distance for a safe boundary; only hostile clusters are longer. */
const CLUSTER_REACH = 256;

function areApart(text: string, offset: number): boolean {
  apart.lastIndex = offset - 1;
  return apart.test(text);
}

/** Returns a short part of the text around an offset, cut at safe boundaries, because segmenting takes time proportional to the length. */
function around(text: string, offset: number): {readonly from: number; readonly part: string} {
  let from = offset - 1;
  while (from > 0 && !areApart(text, from)) if (offset - from-- > CLUSTER_REACH) return {from: 0, part: text};
  let to = offset + 1;
  while (to < text.length && !areApart(text, to))
    if (to++ - offset > CLUSTER_REACH) return {from: 0, part: text};
  return {from, part: text.slice(from, to)};
}

/** Returns the grapheme boundary at or before an offset. */
export function edgeAtOrBefore(text: string, offset: number): number {
  if (offset <= 0) return 0;
  if (offset >= text.length) return text.length;
  if (areApart(text, offset)) return offset;
  const {from, part} = around(text, offset);
  return from + (graphemes.segment(part).containing(offset - from)?.index ?? offset - from);
}

/** Returns the grapheme boundary at or after an offset. */
export function edgeAtOrAfter(text: string, offset: number): number {
  const before = edgeAtOrBefore(text, offset);
  if (before >= offset) return before;
  const {from, part} = around(text, offset);
  return before + (graphemes.segment(part).containing(before - from)?.segment.length ?? 0);
}

/** Returns the grapheme boundary after this one; the end if there is none. */
export function nextEdge(text: string, edge: number): number {
  return edgeAtOrAfter(text, edge + 1);
}

/** Returns the grapheme boundary before this one; the start if there is none. */
export function previousEdge(text: string, edge: number): number {
  return edge === 0 ? 0 : edgeAtOrBefore(text, edge - 1);
}

/** Yields the grapheme clusters of a short text, in order. */
export function clusters(text: string): Iterable<{readonly segment: string; readonly index: number}> {
  return graphemes.segment(text);
}

/** A word, or a placeholder, which is a word by itself. */
const word = /[\p{L}\p{M}\p{N}_]+|[\u{100000}-\u{10FFFD}]/gu;
/** Scripts that write words without blanks between them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter(undefined, {granularity: 'word'});
/** Maximum search distance for a word boundary. */
const WORD_REACH = 2000;

/** Returns the start of the word before the caret; 0 if there is none. */
export function previousWord(text: string, caret: number): number {
  const start = Math.max(0, caret - WORD_REACH);
  return edgeAtOrBefore(text, words(text.slice(start, caret), start).at(-1)?.from ?? start);
}

/** Returns the end of the word after the caret; the text's end if there is none. */
export function nextWord(text: string, caret: number): number {
  const end = Math.min(text.length, caret + WORD_REACH);
  return edgeAtOrAfter(text, words(text.slice(caret, end), caret)[0]?.to ?? end);
}

/** Returns the start of the non-blank run before the caret. */
export function previousBlank(text: string, caret: number): number {
  let at = caret;
  while (at > 0 && /\s/.test(text.charAt(at - 1))) at--;
  while (at > 0 && !/\s/.test(text.charAt(at - 1))) at--;
  return edgeAtOrBefore(text, at);
}

function words(text: string, offset: number): {readonly from: number; readonly to: number}[] {
  return [...text.matchAll(word)].flatMap((match) => {
    const from = offset + match.index;
    if (!unspaced.test(match[0])) return [{from, to: from + match[0].length}];
    return [...segmenter.segment(match[0])].map((part) => ({
      from: from + part.index,
      to: from + part.index + part.segment.length,
    }));
  });
}

/** Returns the start of the line that contains an offset. */
export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Returns the end of the line that contains an offset, before its line break. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Returns the first non-blank offset in the line, or its end. */
export function firstInLine(text: string, at: number): number {
  const start = lineStart(text, at);
  const end = lineEnd(text, at);
  const blanks = text.slice(start, end).search(/\S/u);
  return blanks === -1 ? end : start + blanks;
}

/** Returns the last caret position on a character of the line, at or before an offset. */
export function onCharacter(text: string, at: number): number {
  return at === lineEnd(text, at) && at > lineStart(text, at) ? previousEdge(text, at) : at;
}
