import type {Attachment, LineRange} from '../../session/content/attachment.ts';

/** Returns the reference to a file in a text: `@src/a.ts`, `@src/a.ts:10-40`, `@"with blanks.md":3`. */
export function referenceTo({name, lines}: Pick<Attachment, 'name' | 'lines'>): string {
  return `@${quoteIfNeeded(name)}${lines ? `:${linesLabel(lines)}` : ''}`;
}

export function linesLabel({first, last}: LineRange): string {
  return first === last ? `${first}` : `${first}-${last}`;
}

/** A name after `@`; an open one can be continued by typing. */
export function quoteIfNeeded(name: string, {open = false} = {}): string {
  return /\s/.test(name) ? `"${name}${open ? '' : '"'}` : name;
}

/** A word that names a file: `@src/a.ts`, `@src/a.ts:10-40`, `@"with blanks.md"`. */
export interface AtWord {
  /** Its range in the text, including `@`. */
  readonly from: number;
  readonly to: number;
  /** Without quotes and line numbers. */
  readonly path: string;
  readonly isQuoted: boolean;
  readonly lines: LineRange | undefined;
}

/** Characters allowed before the `@`: elsewhere it belongs to an e-mail address or to code. */
const BEFORE = String.raw`(?<=^|[\s([{<])`;
/** No whitespace, quotes, or placeholders of pastes and files. */
const PLAIN = String.raw`[^\s"\u{100000}-\u{10FFFD}]`;
const QUOTED = String.raw`[^"\n\u{100000}-\u{10FFFD}]`;
/** Also as editors and web pages of repositories copy them: `#10-40`, `#L10-L40`. */
const LINES = String.raw`(?::|#L?)(?<first>\d{1,9})(?:-L?(?<last>\d{1,9}))?`;
const LINES_BEING_TYPED = String.raw`(?:${LINES}(?:-L?)?|:|#L?)`;

/** Maximum distance of the start of a word; file names are shorter. */
const REACH = 4096;

const beingTyped = new RegExp(
  String.raw`${BEFORE}@(?:"(?<quoted>${QUOTED}*)(?:"${LINES_BEING_TYPED}?)?|(?<plain>${PLAIN}*))$`,
  'u',
);
const complete = new RegExp(
  String.raw`${BEFORE}@(?:"(?<quoted>${QUOTED}+)"(?:${LINES})?|(?<plain>${PLAIN}+))`,
  'gu',
);
const plainBeingTyped = new RegExp(String.raw`^(?<path>.*?)${LINES_BEING_TYPED}$`, 'su');
const plainComplete = new RegExp(String.raw`^(?<path>.*?)(?:${LINES}-?|:)$`, 'su');

/** Returns the `@` word being typed before the caret. */
export function atWordBefore(text: string, caret: number): AtWord | undefined {
  const start = Math.max(text.lastIndexOf('\n', caret - 1) + 1, caret - REACH);
  const match = beingTyped.exec(text.slice(start, caret));
  return match ? wordOf(match, start + match.index, plainBeingTyped) : undefined;
}

/** Returns all words of a text that may name a file, without trailing punctuation. */
export function atWords(text: string): readonly AtWord[] {
  return [...text.matchAll(complete)].map((match) => {
    const word = wordOf(match, match.index, plainComplete);
    if (word.isQuoted) return word;
    const cut = /(?<![.,;:!?)\]}>])[.,;:!?)\]}>]+$/u.exec(match[0])?.[0].length ?? 0;
    return cut === 0 ? word : parsePlain(match[0].slice(1, -cut), match.index, plainComplete);
  });
}

function wordOf(match: RegExpExecArray, from: number, plainWord: RegExp): AtWord {
  const {quoted, plain = '', first, last} = match.groups ?? {};
  if (quoted === undefined) return parsePlain(plain, from, plainWord);
  return {from, to: from + match[0].length, path: quoted, isQuoted: true, lines: rangeOf(first, last)};
}

function parsePlain(plain: string, from: number, plainWord: RegExp): AtWord {
  const {path = plain, first, last} = plainWord.exec(plain)?.groups ?? {};
  return {from, to: from + 1 + plain.length, path, isQuoted: false, lines: rangeOf(first, last)};
}

/** Lines count from 1; a reversed range is swapped. */
function rangeOf(first: string | undefined, last = first): LineRange | undefined {
  const [low = 0, high = 0] = [Number(first), Number(last)].sort((one, other) => one - other);
  return Number.isNaN(low) || low < 1 ? undefined : {first: low, last: high};
}
