import {createInputFilter} from '../../../../src/app/input/input-filter.ts';

/** A text in the brackets of bracketed paste. */
export const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

/** Ink's input for chunks in direct succession, followed by silence. */
export function inkInput(...chunks: readonly (string | Uint8Array)[]): readonly string[] {
  const filter = createInputFilter();
  return [...chunks.flatMap((chunk) => filter.push(chunk)), ...filter.flush()];
}

/** Ink's input with a pause after each chunk. */
export function slowInkInput(...chunks: readonly string[]): readonly string[] {
  const filter = createInputFilter();
  return chunks.flatMap((chunk) => filter.push(chunk).concat(filter.flush()));
}

/** Typed text may be split anywhere; everything else is one string per key. */
export function joinText(strings: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const text of strings) {
    const before = joined.at(-1);
    const isText = (string: string) => !/[\0-\x1f\x7f]/.test(string);
    if (before !== undefined && isText(before) && isText(text)) joined[joined.length - 1] = before + text;
    else joined.push(text);
  }
  return joined;
}

/** Splits a text at some places. */
export function splitAt(text: string, places: readonly number[]): readonly string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}
