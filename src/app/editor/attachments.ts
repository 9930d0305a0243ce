import type {Attachment, LineRange} from '../../session/content/attachment.ts';

/** Returns the reference to a file in a text: `@src/a.ts`, `@src/a.ts:10-40`, `@"with blanks.md":3`. */
export function referenceTo({name, lines}: Pick<Attachment, 'name' | 'lines'>): string {
  return `@${quotedIfNeeded(name)}${lines ? `:${linesLabel(lines)}` : ''}`;
}

export function linesLabel({first, last}: LineRange): string {
  return first === last ? `${first}` : `${first}-${last}`;
}

/** A name after `@`; an open one can be continued by typing. */
export function quotedIfNeeded(name: string, {open = false} = {}): string {
  return /\s/.test(name) ? `"${name}${open ? '' : '"'}` : name;
}

/** Returns the positions of references to attachments in a text, in order. */
export function findReferences(text: string, attachments: readonly Attachment[]): readonly Reference[] {
  const found: Reference[] = [];
  let searched = 0;
  for (const attachment of attachments) {
    const reference = referenceTo(attachment);
    const from = text.indexOf(reference, searched);
    if (from === -1) continue;
    searched = from + reference.length;
    found.push({attachment, from, to: searched});
  }
  return found;
}

interface Reference {
  readonly attachment: Attachment;
  readonly from: number;
  readonly to: number;
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
const LINES = String.raw`:(?<first>\d{1,9})(?:-(?<last>\d{1,9}))?`;

/** Maximum distance of the start of a word; file names are shorter. */
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

/** Returns the `@` word being typed before the caret. */
export function atWordBefore(text: string, caret: number): AtWord | undefined {
  const start = Math.max(text.lastIndexOf('\n', caret - 1) + 1, caret - REACH);
  const match = beingTyped.exec(text.slice(start, caret));
  return match ? wordOf(match, start + match.index) : undefined;
}

/** Returns all words of a text that may name a file, without trailing punctuation. */
export function atWords(text: string): readonly AtWord[] {
  return [...text.matchAll(complete)].map((match) => {
    const word = wordOf(match, match.index);
    if (word.isQuoted) return word;
    const cut = /(?<![.,;:!?)\]}>])[.,;:!?)\]}>]+$/u.exec(match[0])?.[0].length ?? 0;
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

/** Lines count from 1; a reversed range is swapped. */
function rangeOf(first: string | undefined, last = first): LineRange | undefined {
  const [low = 0, high = 0] = [Number(first), Number(last)].sort((one, other) => one - other);
  return Number.isNaN(low) || low < 1 ? undefined : {first: low, last: high};
}

/** A longer paste is text, not a list of dropped files. */
const MAX_CHARACTERS = 16_384;
/** A shell word: quoted pieces, escaped characters, and anything else except blanks. */
const WORD = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/gsu;
const PIECE = /'[^']*'|"(?:[^"\\]|\\.)*"|\\./gsu;

/**
 * Returns the paths in a paste from dropping files on the terminal: absolute, quoted, with backslashes before blanks, or as `file:` URLs, one or several.
 * Undefined for any other text. Does not check that the files exist.
 */
export function droppedPaths(pasted: string): readonly string[] | undefined {
  if (pasted.length > MAX_CHARACTERS) return undefined;
  const lines = pasted
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const paths = lines.map(pathsOfLine);
  return paths.length > 0 && paths.every((each) => each !== undefined) ? paths.flat() : undefined;
}

function pathsOfLine(line: string): readonly string[] | undefined {
  // In a Windows path, backslashes escape nothing.
  if (isWindowsPath(line)) return [line];
  if (line.replaceAll(WORD, '').trim() === '') {
    const paths = (line.match(WORD) ?? []).map((word) => pathOf(unquoted(word)));
    if (paths.every((path) => path !== undefined)) return paths;
  }
  // Some terminals neither quote nor escape.
  const whole = pathOf(line);
  return whole === undefined ? undefined : [whole];
}

function unquoted(word: string): string {
  return word.replaceAll(PIECE, (piece) => {
    if (piece.startsWith("'")) return piece.slice(1, -1);
    return piece.startsWith('"') ? piece.slice(1, -1).replaceAll(/\\(["\\$`])/g, '$1') : piece.slice(1);
  });
}

function pathOf(word: string): string | undefined {
  if (word.startsWith('file://')) return pathOfUrl(word);
  return /^~?\/./su.test(word) || isWindowsPath(word) ? word : undefined;
}

function isWindowsPath(word: string): boolean {
  return /^[A-Za-z]:\\/.test(word);
}

function pathOfUrl(url: string): string | undefined {
  const [, path] = /^file:\/\/(?:localhost)?(\/.+)$/u.exec(url) ?? [];
  if (path === undefined) return undefined;
  try {
    return decodeURIComponent(path).replace(/^\/(?=[A-Za-z]:)/, '');
  } catch {
    return undefined;
  }
}
