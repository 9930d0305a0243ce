/**
 * Characters that are one UTF-16 unit and a grapheme by themselves, one column wide below U+3000 and two above: Latin, Greek, Cyrillic, punctuation, arrows,
 * control pictures, box drawing, braille; kana, ideographs, Hangul syllables, full-width forms. Nothing that combines with its neighbors. Nearly all text
 * consists of them, and they are a hundred times faster to measure and split.
 */
const CHARACTERS =
  ' -~\\xa1-\\xac\\xae-\\u02ff\\u0391-\\u03a1\\u03a3-\\u03ff\\u0400-\\u0482\\u048a-\\u052f\\u2010-\\u2027\\u2030-\\u205e\\u2190-\\u2199\\u2400-\\u2426\\u2500-\\u259f\\u25cb-\\u25d7\\u2713\\u2717\\u276f\\u27e8\\u27e9\\u2800-\\u28ff\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60';
const FIRST_WIDE = 0x3000;

const SIMPLE = new RegExp(`^[${CHARACTERS}]*$`);

/** True for text whose columns `simpleWidth` counts. */
export function isSimple(text: string): boolean {
  return SIMPLE.test(text);
}

/** Returns the columns of the character at that index of a simple text. */
export function simpleColumns(text: string, at: number): number {
  return text.charCodeAt(at) > FIRST_WIDE ? 2 : 1;
}

export function simpleWidth(text: string): number {
  let columns = text.length;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > FIRST_WIDE) columns++;
  return columns;
}
