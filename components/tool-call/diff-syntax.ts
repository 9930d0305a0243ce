import {highlightReady, codePiecesNow, loadHighlight} from '../../src/text/markdown/lazy.ts';
import type {CodePiece} from '../../src/text/markdown/highlight.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {Diff, DiffLine} from '../../src/text/diff/diff.ts';

/** A segment of a changed line. */
export interface DiffPiece {
  readonly text: string;
  readonly changed: boolean;
  /** Its token type; undefined if unknown. */
  readonly token?: string | undefined;
}

/** A larger change, in UTF-16 units, would block the keyboard. */
const MAX_CODE = 30_000;

type Lines = ReadonlyMap<DiffLine, readonly CodePiece[]>;

const none: Lines = new Map();
const known = new WeakMap<Diff, Lines>();

/** Returns a file's language for the highlighter: its extension, or its name. */
function languageOf(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? '';
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name;
}

/** Returns the languages of a call's changes, for `highlightReady`. */
export function diffLanguages({content}: ToolCallEntry): readonly string[] {
  return content.flatMap((part) => (part.type === 'diff' ? [languageOf(part.path)] : []));
}

/** Returns a function that splits a line into its changed words, with syntax highlighting if the grammar is loaded. */
export function piecesOf(path: string, diff: Diff): (line: DiffLine) => readonly DiffPiece[] {
  const lines = codeOf(path, diff);
  return (line) => merged(line.segments, lines.get(line));
}

/** Each text of a change is highlighted once, as far as it is shown. */
function codeOf(path: string, diff: Diff): Lines {
  const before = known.get(diff);
  if (before !== undefined) return before;
  const language = languageOf(path);
  if (!highlightReady(language)) {
    void loadHighlight(language);
    return none;
  }
  const lines = highlighted(language, diff);
  known.set(diff, lines);
  return lines;
}

function highlighted(language: string, {hunks}: Diff): Lines {
  const all = hunks.flatMap((hunk) => hunk.lines);
  if (all.reduce((sum, line) => sum + textOf(line).length, 0) > MAX_CODE) return none;
  const found = new Map<DiffLine, readonly CodePiece[]>();
  for (const {lines} of hunks) {
    for (const side of ['removed', 'added'] as const) {
      const own = lines.filter(({kind}) => kind === side || kind === 'context');
      const pieces = codePiecesNow(own.map(textOf).join('\n'), language);
      for (const [index, line] of own.entries()) if (pieces?.[index]) found.set(line, pieces[index]);
    }
  }
  return found;
}

function textOf({segments}: DiffLine): string {
  return segments.map(({text}) => text).join('');
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
