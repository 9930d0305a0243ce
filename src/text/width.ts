import stringWidth from 'string-width';
import {stripStyles} from './ansi.ts';
import {isSimple, simpleWidth} from './simple-text.ts';

/** Text whose characters all take one column and one UTF-16 unit. */
export const PRINTABLE_ASCII = /^[ -~]*$/;

const segmenter = new Intl.Segmenter();

/** Returns the columns of a text in one line, as Ink counts them: styles, links and control characters take none. */
export function width(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  const plain = text.includes('\u001b') ? stripStyles(text) : text;
  return isSimple(plain) ? simpleWidth(plain) : stringWidth(text);
}

/** Returns the grapheme clusters of a text without control sequences. */
export function graphemes(text: string): string[] {
  if (isSimple(text)) return text.split('');
  return Array.from(segmenter.segment(text), ({segment}) => segment);
}
