import stringWidth from 'string-width';
import {stripStyles} from './ansi.ts';
import {isSimple, simpleWidth} from './simple-text.ts';

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
