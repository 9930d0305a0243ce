import type {CodePiece} from '../../src/text/markdown/highlight.ts';
import type {Diff, DiffLine} from '../../src/text/diff/diff.ts';
import {taskOutputIfReady} from '../../src/worker/background.ts';
import type {Theme} from '../theme/theme.tsx';

/** A segment of a changed line. */
export interface DiffPiece {
  readonly text: string;
  readonly changed: boolean;
  /** Its token type; undefined if unknown. */
  readonly token?: string | undefined;
}

/** A larger change, in UTF-16 units, is not highlighted: its tokens would have to be copied from the thread. */
const MAX_CODE = 30_000;

type Lines = ReadonlyMap<DiffLine, readonly CodePiece[]>;

/** Returns a file's language for the highlighter: its extension, or its name. */
function languageOf(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? '';
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name;
}

/** Returns a function that splits a line into its changed words, with syntax highlighting. */
export function createPieceSplitter(
  path: string,
  diff: Diff,
  theme: Theme,
): (line: DiffLine) => readonly DiffPiece[] {
  const lines = codeOf(path, diff, theme);
  return (line) => merged(line.segments, lines.get(line));
}

/** Returns the tokens of the lines, as far as they are highlighted: each text of a change once, as far as it is shown. */
function codeOf(path: string, diff: Diff, theme: Theme): Lines {
  const size = diff.hunks.flatMap(({lines}) => lines).reduce((sum, line) => sum + line.text.length, 0);
  if (size > MAX_CODE) return new Map();
  const sides = sidesOf(diff);
  const texts = () => sides.map((lines) => lines.map(({text}) => text).join('\n'));
  const input = () => ({language: languageOf(path), texts: texts()});
  const pieces = taskOutputIfReady('highlight', {of: diff, input});
  if (pieces === undefined) theme.lacks?.();
  const found = new Map<DiffLine, readonly CodePiece[]>();
  for (const [side, lines] of sides.entries())
    for (const [index, line] of lines.entries()) {
      const code = pieces?.[side]?.[index];
      if (code) found.set(line, code);
    }
  return found;
}

/** Returns the lines of each part of a change, as they were before and as they are after it. */
function sidesOf({hunks}: Diff): readonly (readonly DiffLine[])[] {
  return hunks.flatMap(({lines}) =>
    (['removed', 'added'] as const).map((side) =>
      lines.filter(({kind}) => kind === side || kind === 'context'),
    ),
  );
}

/** Returns the changed words, split at the boundaries of the code's tokens. */
function merged(
  segments: DiffLine['segments'],
  code: readonly CodePiece[] | undefined,
): readonly DiffPiece[] {
  if (code === undefined) return segments;
  const pieces: DiffPiece[] = [];
  let at = 0;
  let used = 0;
  for (const {text, changed} of segments) {
    for (let from = 0; from < text.length;) {
      const piece = code[at];
      const length = piece === undefined ? text.length : piece.text.length - used;
      const part = text.slice(from, from + length);
      pieces.push({text: part, changed, token: piece?.token});
      from += part.length;
      used += part.length;
      if (piece === undefined || used < piece.text.length) continue;
      at++;
      used = 0;
    }
  }
  return pieces;
}
