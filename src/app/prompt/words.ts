import {edgeAtOrAfter, edgeAtOrBefore} from './graphemes.ts';

/** A word, or a paste placeholder, which is one of its own. */
const word = /[\p{L}\p{M}\p{N}_]+|[\u{100000}-\u{10FFFD}]/gu;
/** Scripts that write words without blanks between them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter(undefined, {granularity: 'word'});
/** How far a word is looked for; further away counts as its edge. */
const REACH = 2000;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where the word before the caret starts; 0 when there is none. */
export function previousWord(text: string, caret: number): number {
  const start = Math.max(0, caret - REACH);
  return edgeAtOrBefore(text, words(text.slice(start, caret), start).at(-1)?.from ?? start);
}

/** Where the word after the caret ends; the text's end when there is none. */
export function nextWord(text: string, caret: number): number {
  const end = Math.min(text.length, caret + REACH);
  return edgeAtOrAfter(text, words(text.slice(caret, end), caret)[0]?.to ?? end);
}

/** Where what stands before the caret begins, back to a blank. */
export function previousBlank(text: string, caret: number): number {
  let at = caret;
  while (at > 0 && /\s/.test(text.charAt(at - 1))) at--;
  while (at > 0 && !/\s/.test(text.charAt(at - 1))) at--;
  return edgeAtOrBefore(text, at);
}

function words(text: string, offset: number): Span[] {
  return [...text.matchAll(word)].flatMap((match) => {
    const from = offset + match.index;
    if (!unspaced.test(match[0])) return [{from, to: from + match[0].length}];
    return [...segmenter.segment(match[0])].map((part) => ({
      from: from + part.index,
      to: from + part.index + part.segment.length,
    }));
  });
}
