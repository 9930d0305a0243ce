import type {LineRange} from './attachments.ts';

/** A word that names a file: `@src/a.ts`, `@src/a.ts:10-40`, `@"with blanks.md"`. */
export interface AtWord {
  /** Where it stands in the text, with its `@`. */
  readonly from: number;
  readonly to: number;
  /** Without quotes and lines. */
  readonly path: string;
  readonly isQuoted: boolean;
  readonly lines: LineRange | undefined;
}

/** What may stand before the `@`: in an address or in code something else does. */
const BEFORE = String.raw`(?<=^|[\s([{<])`;
/** Neither blanks nor quotes, nor what stands for a paste or a file. */
const PLAIN = String.raw`[^\s"\u{100000}-\u{10FFFD}]`;
const QUOTED = String.raw`[^"\n\u{100000}-\u{10FFFD}]`;
const LINES = String.raw`:(?<first>\d{1,9})(?:-(?<last>\d{1,9}))?`;

/** How far back a word may begin; names of files are shorter. */
const REACH = 4096;

const beingTyped = new RegExp(
  String.raw`${BEFORE}@(?:"(?<quoted>${QUOTED}*)(?:"(?:${LINES}-?|:)?)?|(?<plain>${PLAIN}*))$`,
  'u',
);
const complete = new RegExp(
  String.raw`${BEFORE}@(?:"(?<quoted>${QUOTED}+)"(?:${LINES})?|(?<plain>${PLAIN}+))`,
  'gu',
);
const plainLines = new RegExp(String.raw`^(?<path>.*?)(?:${LINES}-?|:)$`, 'su');

/** The word that is being typed in front of the caret. */
export function atWordBefore(text: string, caret: number): AtWord | undefined {
  const start = Math.max(text.lastIndexOf('\n', caret - 1) + 1, caret - REACH);
  const match = beingTyped.exec(text.slice(start, caret));
  return match ? wordOf(match, start + match.index) : undefined;
}

/** All words of a text that may name a file; punctuation behind one does not belong to it. */
export function atWords(text: string): readonly AtWord[] {
  return [...text.matchAll(complete)].map((match) => {
    const word = wordOf(match, match.index);
    if (word.isQuoted) return word;
    const cut = /[.,;:!?)\]}>]+$/u.exec(match[0])?.[0].length ?? 0;
    return cut === 0 ? word : parsePlain(match[0].slice(1, -cut), match.index);
  });
}

function wordOf(match: RegExpExecArray, from: number): AtWord {
  const {quoted, plain = '', first, last} = match.groups ?? {};
  if (quoted === undefined) return parsePlain(plain, from);
  return {from, to: from + match[0].length, path: quoted, isQuoted: true, lines: rangeOf(first, last)};
}

function parsePlain(plain: string, from: number): AtWord {
  const {path = plain, first, last} = plainLines.exec(plain)?.groups ?? {};
  return {from, to: from + 1 + plain.length, path, isQuoted: false, lines: rangeOf(first, last)};
}

/** Lines count from 1, and a range that runs backwards is turned. */
function rangeOf(first: string | undefined, last = first): LineRange | undefined {
  const [low = 0, high = 0] = [Number(first), Number(last)].sort((one, other) => one - other);
  return Number.isNaN(low) || low < 1 ? undefined : {first: low, last: high};
}
