import stringWidth from 'string-width';
import {stripStyles} from './ansi.ts';
import {maxOf} from './lists.ts';

/**
 * Characters that are one UTF-16 unit and a grapheme by themselves, one column wide below U+3000 and two above: Latin, Greek, Cyrillic, punctuation, arrows,
 * control pictures, box drawing, braille; kana, ideographs, Hangul syllables, full-width forms. Nothing that combines with its neighbors. Nearly all text
 * consists of them, and they are a hundred times faster to measure and split.
 */
const CHARACTERS =
  ' -~\\xa1-\\xac\\xae-\\u02ff\\u0391-\\u03a1\\u03a3-\\u03ff\\u0400-\\u0482\\u048a-\\u052f\\u2010-\\u2027\\u2030-\\u205e\\u2190-\\u2199\\u2400-\\u2426\\u2500-\\u259f\\u25cb-\\u25d7\\u2713\\u2717\\u276f\\u27e8\\u27e9\\u2800-\\u28ff\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60';
const FIRST_WIDE = 0x3000;

const SIMPLE = new RegExp(`^[${CHARACTERS}]*$`);

/** True for a text of simple characters. */
export function isSimple(text: string): boolean {
  return SIMPLE.test(text);
}

/** Returns the columns of the character at that index of a simple text. */
export function simpleColumns(text: string, at: number): number {
  return text.charCodeAt(at) > FIRST_WIDE ? 2 : 1;
}

/** Returns the columns of a simple text. */
function simpleWidth(text: string): number {
  let columns = text.length;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > FIRST_WIDE) columns++;
  return columns;
}

/** Text whose characters all take one column and one UTF-16 unit. */
export const PRINTABLE_ASCII = /^[ -~]*$/;

const segmenter = new Intl.Segmenter();

/** Widths of graphemes, which take much longer to find than to look up; few are different. */
const known = new Map<string, number>();
const MAX_KNOWN = 4096;
/** Longer ones are floods of combining marks. */
const MAX_GRAPHEME = 32;

/**
 * Returns the columns of a text in one line: styles, links and control characters take none. Where terminals differ, it is the most that one uses, so that a row
 * that fits wraps in none.
 */
export function width(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  const plain = text.includes('\u001b') ? stripStyles(text) : text;
  if (isSimple(plain)) return simpleWidth(plain);
  if (/[\x1b\x80-\x9f]/.test(plain)) return stringWidth(text);
  let columns = 0;
  for (const {segment} of segmenter.segment(plain)) columns += graphemeWidth(segment);
  return columns;
}

/** Returns the columns of the widest text. */
export function widest(texts: readonly string[]): number {
  return maxOf(texts.map(width), 0);
}

/** Returns a text with blanks behind it, up to that many columns. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}

/** Returns the columns of a text in a terminal that draws joined emoji as one, as Ink counts: for the caret behind them. */
export function joinedWidth(text: string): number {
  return isSimple(text) ? simpleWidth(text) : stringWidth(text);
}

/** Emoji that are one or several beside each other: families, flags, skin tones. */
const JOINED_EMOJI = /\u200d|\p{Regional_Indicator}|\p{Emoji_Modifier}/u;

/** Returns the columns of one grapheme cluster. */
export function graphemeWidth(grapheme: string): number {
  if (grapheme.length > MAX_GRAPHEME) return stringWidth(grapheme);
  const before = known.get(grapheme);
  if (before !== undefined) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const parts = JOINED_EMOJI.test(grapheme) ? Array.from(grapheme, (part) => stringWidth(part)) : [];
  const columns = Math.max(
    stringWidth(grapheme),
    parts.reduce((sum, part) => sum + part, 0),
  );
  known.set(grapheme, columns);
  return columns;
}

/** Returns the grapheme clusters of a text without control sequences. */
export function graphemes(text: string): string[] {
  if (isSimple(text)) return text.split('');
  return Array.from(segmenter.segment(text), ({segment}) => segment);
}
