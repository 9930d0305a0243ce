import {compareLines, linesOf, type Change} from './compare.ts';
import {markWords} from './words.ts';

/** A part of a line; `changed` is true for the words that differ from the paired line. */
export interface DiffSegment {
  readonly text: string;
  readonly changed: boolean;
}

export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  /** 1-based line numbers; a removed line has only the old one, an added line only the new one. */
  readonly oldNumber?: number;
  readonly newNumber?: number;
  /** The line without its end. A carriage return shows as `␍` where it is all that differs. */
  readonly segments: readonly DiffSegment[];
  /** True for an added or removed last line that no line feed ends, where the other text has one. */
  readonly noNewlineAtEnd?: true;
}

/** Changes that lie close together, with the unchanged lines around them. */
export interface Hunk {
  readonly lines: readonly DiffLine[];
}

export interface Diff {
  readonly hunks: readonly Hunk[];
  /** Numbers of lines. */
  readonly stats: {readonly added: number; readonly removed: number};
  /** True when there was no old text: the file is new. */
  readonly newFile: boolean;
  /** True when the texts were too different to compare: what differs is shown as replaced as a whole. */
  readonly approximate: boolean;
}

export interface DiffOptions {
  /** Unchanged lines shown before and behind each change. */
  readonly context: number;
  /** The number of the first line, 1 where nothing is said; null where nobody knows: then no line has a number. */
  readonly firstLine?: number | null;
}

/** Compares two texts line by line, with the changed words of paired lines marked. `oldText` is null for a new file. */
export function diffLines(
  oldText: string | null | undefined,
  newText: string,
  {context, firstLine = 1}: DiffOptions,
): Diff {
  const newFile = oldText === null || oldText === undefined;
  const {changes, approximate} = compareLines(linesOf(oldText ?? ''), linesOf(newText));
  // Many agents send the changed part of a file only: neither text tells how the file ends then.
  const endsDiffer = !newFile && oldText.endsWith('\n') !== newText.endsWith('\n');
  const lines = numbered(changes, {endsDiffer, words: !approximate, firstLine});
  return {
    hunks: hunksOf(lines, context),
    stats: {added: count(lines, 'added'), removed: count(lines, 'removed')},
    newFile,
    approximate,
  };
}

function count(lines: readonly DiffLine[], kind: DiffLine['kind']): number {
  return lines.reduce((sum, line) => sum + (line.kind === kind ? 1 : 0), 0);
}

/** All lines of both texts, in the order in which they are shown. */
function numbered(
  changes: readonly Change[],
  {endsDiffer, words, firstLine}: {endsDiffer: boolean; words: boolean; firstLine: number | null},
): DiffLine[] {
  const lines: DiffLine[] = [];
  const next = {oldNumber: firstLine ?? 0, newNumber: firstLine ?? 0};
  const take = (...names: readonly (keyof typeof next)[]) =>
    firstLine === null ? {} : Object.fromEntries(names.map((name) => [name, next[name]++]));
  for (const {same, removed, added} of changes) {
    for (const line of same) {
      lines.push({kind: 'context', ...take('oldNumber', 'newNumber'), segments: plain(line)});
    }
    const pairs = removed.map((line, index) => {
      const pair = added[index];
      return words && pair !== undefined ? markWords(line, pair) : undefined;
    });
    for (const [index, line] of removed.entries()) {
      const segments = pairs[index]?.removed ?? plain(line);
      lines.push({kind: 'removed', ...take('oldNumber'), segments, ...ending(line, endsDiffer)});
    }
    for (const [index, line] of added.entries()) {
      const segments = pairs[index]?.added ?? plain(line);
      lines.push({kind: 'added', ...take('newNumber'), segments, ...ending(line, endsDiffer)});
    }
  }
  return lines;
}

function plain(line: string): DiffSegment[] {
  return [{text: line.replace(/\r?\n$/, ''), changed: false}];
}

function ending(line: string, endsDiffer: boolean): {noNewlineAtEnd?: true} {
  return endsDiffer && !line.endsWith('\n') ? {noNewlineAtEnd: true} : {};
}

function hunksOf(lines: readonly DiffLine[], context: number): Hunk[] {
  const hunks: DiffLine[][] = [];
  let end = 0;
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'context') continue;
    const start = Math.max(end, index - context);
    const hunk = start > end || hunks.length === 0 ? [] : hunks.at(-1);
    if (hunk === undefined) continue;
    if (hunk.length === 0) hunks.push(hunk);
    const stop = Math.min(lines.length, index + context + 1);
    for (const shown of lines.slice(start, stop)) hunk.push(shown);
    end = Math.max(end, stop);
  }
  return hunks.map((lines) => ({lines}));
}
