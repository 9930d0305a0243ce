import {decodedUri} from '../../session/content/block-facts.ts';

/** A longer paste is text, not a list of dropped files. */
const MAX_CHARACTERS = 16_384;
/** Only these separate words in a shell; all other blanks belong to names. */
const BLANKS = /^[ \t]+|(?<![ \t])[ \t]+$/g;
/** A shell word: quoted pieces, escaped characters, and anything else except blanks. */
const WORD = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^ \t'"\\])+/gsu;
const PIECE = /'[^']*'|"(?:[^"\\]|\\.)*"|\\./gsu;
/** A word in which only backslashes escape, since some terminals leave quotes alone. */
const ESCAPED_WORD = /(?:\\.|[^ \t\\])+/gsu;
/** In a Windows path, backslashes escape nothing. */
const WINDOWS_WORD = /"[^"]*"|[^ \t"]+/g;

/** The ways to read a line, the most likely first; each returns its words. */
const READINGS: readonly ((line: string) => readonly string[] | undefined)[] = [
  (line) => {
    const words = wordsOf(line, WINDOWS_WORD, (word) => word.replaceAll('"', ''));
    return words?.every(isWindowsPath) ? words : undefined;
  },
  (line) => wordsOf(line, WORD, unquoted),
  (line) => [line.replaceAll(BLANKS, '')],
  (line) => wordsOf(line, ESCAPED_WORD, (word) => word.replaceAll(/\\(.)/gsu, '$1')),
  // Some terminals put a name between quotes without escaping those in it.
  (line) => /(?<=^")[^]*(?="$)/.exec(line.replaceAll(BLANKS, '')) ?? undefined,
  (line) => line.replaceAll(BLANKS, '').split(/[ \t]+(?=~?\/|file:|[A-Za-z]:\\)/),
];

/**
 * Returns the paths in a paste from dropping files on the terminal, one or several: absolute, quoted, with backslashes, or as `file:` URLs. Terminals differ in
 * how they write names, so these are all ways to read it, the most likely first; none if it is any other text. Does not check that the files exist.
 */
export function droppedPaths(pasted: string): readonly (readonly string[])[] {
  if (pasted.length > MAX_CHARACTERS) return [];
  const lines = pasted.split(/\r\n?|\n/).filter((line) => line.replaceAll(BLANKS, '') !== '');
  const read = lines.map((line) => READINGS.map((words) => pathsOf(words(line))));
  if (lines.length === 0 || read.some((ways) => ways.every((paths) => paths === undefined))) return [];
  const whole = READINGS.map((_words, way) =>
    read.flatMap((ways) => ways[way] ?? ways.find((paths) => paths !== undefined) ?? []),
  );
  return [...new Map(whole.map((paths) => [paths.join('\n'), paths])).values()];
}

/** Returns the path in a `file:` URL of this computer; undefined for any other text. */
export function pathOfUrl(url: string): string | undefined {
  const [, path] = /^file:(?:\/\/(?:localhost)?)?(\/[^/].*)$/su.exec(url) ?? [];
  if (path === undefined) return undefined;
  return decodedUri(path).replace(/^\/(?=[A-Za-z]:)/, '');
}

/** Returns the words of a line; undefined if it has something else, such as an unpaired quote. */
function wordsOf(line: string, word: RegExp, read: (word: string) => string): readonly string[] | undefined {
  if (line.replaceAll(word, '').replaceAll(BLANKS, '') !== '') return undefined;
  return line.match(word)?.map(read);
}

function unquoted(word: string): string {
  return word.replaceAll(PIECE, (piece) => {
    if (piece.startsWith("'")) return piece.slice(1, -1);
    return piece.startsWith('"') ? piece.slice(1, -1).replaceAll(/\\(["\\$`])/g, '$1') : piece.slice(1);
  });
}

function pathsOf(words: readonly string[] | undefined): readonly string[] | undefined {
  const paths = words?.map(pathOf) ?? [];
  return paths.length > 0 && paths.every((path) => path !== undefined) ? paths : undefined;
}

function pathOf(word: string): string | undefined {
  if (word.startsWith('file:')) return pathOfUrl(word);
  return /^~?\/./su.test(word) || isWindowsPath(word) ? word : undefined;
}

function isWindowsPath(word: string): boolean {
  return /^[A-Za-z]:\\/.test(word);
}
