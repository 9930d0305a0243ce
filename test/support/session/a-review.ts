import type {Review, ReviewedFile, ReviewHunk} from '../../../src/session/review.ts';

/** A hunk at a line; `\` before the last line of a file without a line end. */
export function aHunk(id: string, newStart: number, ...lines: readonly string[]): ReviewHunk {
  return {id, isAccepted: false, oldStart: newStart, newStart, lines};
}

export function aFile(path: string, ...hunks: readonly ReviewHunk[]): ReviewedFile {
  const count = (sign: string) =>
    hunks.flatMap(({lines}) => lines).filter((line) => line.startsWith(sign)).length;
  return {
    id: path,
    path,
    oldPath: undefined,
    status: 'modified',
    notes: [],
    added: count('+'),
    removed: count('-'),
    isAccepted: false,
    hunks,
  };
}

export function aReview(...files: readonly ReviewedFile[]): Review {
  return {id: 'reading', range: {kind: 'unreviewed'}, turns: [1, 2], files, uncovered: [], comments: []};
}

export const SESSION_FILE = aFile(
  'src/session.ts',
  aHunk('one', 12, ' let current;', '-let busy = false;', '+let pending;'),
  aHunk(
    'two',
    40,
    ' function refresh() {',
    '-  if (busy) return;',
    '-  busy = true;',
    '+  pending = start();',
    '+  return pending;',
    ' }',
  ),
);
