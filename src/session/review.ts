/** Which changes of a session's folder are reviewed. */
export type ReviewRange =
  /** Since the changes that were accepted last. */
  | {readonly kind: 'unreviewed'}
  /** Since the first prompt of the session. */
  | {readonly kind: 'session'}
  | {readonly kind: 'turn'; readonly turn: number};

export type ReviewStatus = 'added' | 'deleted' | 'renamed' | 'retyped' | 'modified';

/** As `git status` has them. */
export const STATUS_LETTERS: Readonly<Record<ReviewStatus, string>> = {
  added: 'A',
  deleted: 'D',
  renamed: 'R',
  retyped: 'T',
  modified: 'M',
};

/** Changed lines of a file, with the unchanged lines around them. */
export interface ReviewHunk {
  /** Names it among the hunks of its file. */
  readonly id: string;
  readonly isAccepted: boolean;
  /** The numbers of the first lines, from 1. */
  readonly oldStart: number;
  readonly newStart: number;
  /** As exact readings, each with ` `, `-` or `+` before it; `\` before a remark on the line above. */
  readonly lines: readonly string[];
}

/** A changed file. */
export interface ReviewedFile {
  /** Names it among the files. */
  readonly id: string;
  /** Relative to the folder, as exact readings. */
  readonly path: string;
  readonly oldPath: string | undefined;
  readonly status: ReviewStatus;
  /** What there is to know beside its lines: modes, binary, too long. */
  readonly notes: readonly string[];
  /** Lines of the changes that are not accepted. */
  readonly added: number;
  readonly removed: number;
  /** True if all of its changes are accepted. */
  readonly isAccepted: boolean;
  /** From top to bottom. */
  readonly hunks: readonly ReviewHunk[];
}

/** What the user says about a line. */
export interface ReviewComment {
  readonly path: string;
  /** The side that has the line. */
  readonly side: 'old' | 'new';
  /** The numbers of the first and the last line, from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** The lines, as those of a hunk. */
  readonly quote: readonly string[];
  readonly text: string;
}

/** What changed, as it was when the folder was read. */
export interface Review {
  readonly range: ReviewRange;
  /** The numbers of the turns that can be reviewed by themselves, ascending. */
  readonly turns: readonly number[];
  /** By path. */
  readonly files: readonly ReviewedFile[];
  readonly uncovered: readonly {readonly path: string; readonly reason: string}[];
  readonly comments: readonly ReviewComment[];
}

/** What can be done with a change; a whole file without a hunk. */
export type ReviewChange =
  | {readonly kind: 'accept' | 'revert'; readonly file: string; readonly hunk: string | undefined}
  /** Takes back the last one that was done in this window. */
  | {readonly kind: 'undo'};

/** The changes after they were read, or something was done with them; or why not, in a sentence. */
export type ReviewOutcome =
  | {
      readonly ok: true;
      readonly review: Review;
      /** What was done, or why it was not, in a sentence. */
      readonly told: string | undefined;
      readonly hasChangedFiles: boolean;
    }
  | {readonly ok: false; readonly why: string};
