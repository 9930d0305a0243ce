export interface DiffSegment {
  readonly text: string;
  /** True for the words that differ from the paired line. */
  readonly changed: boolean;
}

export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  /** 1-based line numbers; a removed line has only the old one, an added line only the new one. */
  readonly oldNumber?: number;
  readonly newNumber?: number;
  readonly segments: readonly DiffSegment[];
  /** True for a last line without a line feed, where that differs between the two texts. */
  readonly noNewlineAtEnd?: boolean;
}

export interface Hunk {
  readonly lines: readonly DiffLine[];
}

export interface Diff {
  readonly hunks: readonly Hunk[];
  readonly stats: {readonly added: number; readonly removed: number};
  /** True when there was no old text: the file is new. */
  readonly newFile: boolean;
  /** True when the texts were too large or too different to compare: shown as replaced as a whole. */
  readonly approximate: boolean;
}

export interface DiffOptions {
  /** Unchanged lines shown around each change. */
  readonly context: number;
}

export function diffLines(oldText: string | null | undefined, newText: string, options: DiffOptions): Diff {
  void options;
  const old = oldText ? oldText.split('\n') : [];
  const lines: DiffLine[] = [
    ...old.map((text, index): DiffLine => ({
      kind: 'removed',
      oldNumber: index + 1,
      segments: [{text, changed: false}],
    })),
    ...newText.split('\n').map((text, index): DiffLine => ({
      kind: 'added',
      newNumber: index + 1,
      segments: [{text, changed: false}],
    })),
  ];
  return {
    hunks: [{lines}],
    stats: {added: newText.split('\n').length, removed: old.length},
    newFile: oldText === null || oldText === undefined,
    approximate: true,
  };
}
