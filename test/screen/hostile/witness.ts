import * as fc from 'fast-check';
import {snippet} from '../../support/text/hostile.ts';

/** A message with attacks between its lines: what must be visible, and its chunks. */
export interface Witness {
  readonly chunks: readonly string[];
  /** The lines that no control sequence swallows, in order. */
  readonly visible: readonly string[];
}

/** Lines without a meaning in Markdown, all different. */
const lines = fc
  .uniqueArray(fc.stringMatching(/^[b-z]{5}$/), {minLength: 2, maxLength: 6})
  .map((words) => words.map((word, index) => `word ${word} ${index}`));

export const witness: fc.Arbitrary<Witness> = fc
  .tuple(lines, fc.array(snippet, {minLength: 8, maxLength: 8}), fc.array(fc.nat(200), {maxLength: 6}))
  .map(([reported, attacks, cuts]) => {
    const text = reported.map((line, index) => `${attacks[index]}\n\n${line}\n\n`).join('');
    const seen = withoutSequences(text);
    return {chunks: cutAt(text, cuts), visible: reported.filter((line) => seen.includes(line))};
  });

function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % text.length).toSorted((a, b) => a - b), text.length];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

/** The text that a terminal would show: parsed character by character, as terminals do. */
function withoutSequences(text: string): string {
  let seen = '';
  for (let at = 0; at < text.length;) {
    const end = endOfSequence(text, at);
    if (end === undefined) seen += text[at];
    at = end ?? at + 1;
  }
  return seen;
}

/** The end of a complete control sequence that starts here. */
function endOfSequence(text: string, start: number): number | undefined {
  const isEscape = text[start] === '\x1b';
  const next = text[start + 1] ?? '';
  const introducer = isEscape ? String.fromCharCode(next.charCodeAt(0) + 0x40) : (text[start] ?? '');
  const from = start + (isEscape ? 2 : 1);
  if (introducer === '\x9b') return endOfControl(text, from);
  if ('\x90\x98\x9d\x9e\x9f'.includes(introducer)) return endOfString(text, from, introducer === '\x9d');
  return isEscape && next >= ' ' && next <= '~' ? from : undefined;
}

function endOfControl(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character >= '@' && character <= '~') return at + 1;
    if (character < ' ' || character > '~') return undefined;
  }
  return undefined;
}

/** Only one line of a title is checked; images have many. */
function endOfString(text: string, from: number, isTitle: boolean): number | undefined {
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\x9c' || (isTitle && character === '\x07')) return at + 1;
    if (character === '\x1b') return text[at + 1] === '\\' ? at + 2 : undefined;
    if (/[\x00-\x1f\x7f-\x9f]/.test(character) && (isTitle || !/[\t\n\r\v\f]/.test(character)))
      return undefined;
  }
  return undefined;
}
