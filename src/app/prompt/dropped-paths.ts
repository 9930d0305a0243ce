/** A pasted text of more characters than this is text, not a list of files that were dropped. */
const MOST_CHARACTERS = 16_384;
/** A word of a shell: pieces in quotes, escaped characters, and anything else but blanks. */
const WORD = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/gsu;
const PIECE = /'[^']*'|"(?:[^"\\]|\\.)*"|\\./gsu;

/**
 * The paths that a terminal pastes when files are dropped on it: absolute, quoted, with backslashes before blanks, or as
 * `file:` URLs, one or several. Undefined when the text is anything else. Whether there are such files is not known here.
 */
export function droppedPaths(pasted: string): readonly string[] | undefined {
  if (pasted.length > MOST_CHARACTERS) return undefined;
  const lines = pasted
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const paths = lines.map(pathsOfLine);
  return paths.length > 0 && paths.every((each) => each !== undefined) ? paths.flat() : undefined;
}

function pathsOfLine(line: string): readonly string[] | undefined {
  // A path of Windows is full of backslashes that escape nothing.
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
