/** Which changes of a session's folder are reviewed. */
export type ReviewRange =
  /** Since the last accepted changes. */
  | {readonly kind: 'unreviewed'}
  /** Since the first prompt of the session. */
  | {readonly kind: 'session'}
  | {readonly kind: 'turn'; readonly turn: number};

export type ReviewStatus = 'added' | 'deleted' | 'renamed' | 'retyped' | 'modified';

/** As in `git status`. */
export const STATUS_LETTERS: Readonly<Record<ReviewStatus, string>> = {
  added: 'A',
  deleted: 'D',
  renamed: 'R',
  retyped: 'T',
  modified: 'M',
};

/** Changed lines of a file, with the unchanged lines around them. */
export interface ReviewHunk {
  /** Identifies it among the hunks of its file. */
  readonly id: string;
  readonly isAccepted: boolean;
  /** The numbers of its first lines, from 1. */
  readonly oldStart: number;
  readonly newStart: number;
  /** As exact readings, prefixed with ` `, `-` or `+`; `\` marks a remark on the line above. */
  readonly lines: readonly string[];
}

/** A changed file. */
export interface ReviewedFile {
  /** Identifies it among the files. */
  readonly id: string;
  /** Relative to the folder, as exact readings. */
  readonly path: string;
  readonly oldPath: string | undefined;
  readonly status: ReviewStatus;
  /** Git's id of its content before the changes; undefined for a new file. */
  readonly beforeId?: string;
  /** Facts besides its lines: modes, binary, too long. */
  readonly notes: readonly string[];
  /** Number of lines in changes that are not accepted. */
  readonly added: number;
  readonly removed: number;
  /** True if all of its changes are accepted. */
  readonly isAccepted: boolean;
  /** From top to bottom. */
  readonly hunks: readonly ReviewHunk[];
  /** The turns in which it changed, and `outside` if it changed between turns. */
  readonly changedIn?: readonly (number | 'outside')[];
}

/** The changes in a session's folder that are not accepted. */
export interface Unreviewed {
  readonly files: number;
  /** By path, at most `MAX_LISTED`. */
  readonly listed: readonly UnreviewedFile[];
}

export type UnreviewedFile = Pick<ReviewedFile, 'path' | 'status' | 'added' | 'removed'>;

/** So that changes of a whole folder do not fill the session's file. */
const MAX_LISTED = 20;

/** Returns what a review shows as not accepted, without its lines. */
export function unreviewedIn(files: Review['files']): Unreviewed {
  const open = files.filter(({isAccepted}) => !isAccepted);
  const listed = open
    .slice(0, MAX_LISTED)
    .map(({path, status, added, removed}) => ({path, status, added, removed}));
  return {files: open.length, listed};
}

/** The user's comment on a line. */
export interface ReviewComment {
  readonly path: string;
  /** The side that the line is on. */
  readonly side: 'old' | 'new';
  /** The first and the last line, from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** The lines, in the format of a hunk. */
  readonly quote: readonly string[];
  readonly text: string;
}

/** What a window has done to the comments that it shows. Other windows may have others. */
export interface CommentChange {
  readonly added: readonly ReviewComment[];
  readonly removed: readonly ReviewComment[];
}

/** The author of changes. */
export interface ReviewAuthor {
  readonly name: string;
  readonly kind: 'agent' | 'subagent' | 'unknown' | 'outside';
  readonly files: number;
}

/** The changes as of the last read of the folder. */
export interface Review {
  /** Identifies this reading. An action names the one that its window shows: several windows may review one session. */
  readonly id: string;
  readonly range: ReviewRange;
  /** The turns that can be reviewed separately, ascending. */
  readonly turns: readonly number[];
  /** By path. */
  readonly files: readonly ReviewedFile[];
  readonly uncovered: readonly {readonly path: string; readonly reason: string}[];
  readonly comments: readonly ReviewComment[];
  /** Who changed how many of the files, as far as it is known. */
  readonly by?: readonly ReviewAuthor[];
}

/** An action on a change; a whole file if there is no hunk. */
export type ReviewChange =
  | {readonly kind: 'accept' | 'revert'; readonly file: string; readonly hunk: string | undefined}
  /** Undoes the last one, also of an earlier window. */
  | {readonly kind: 'undo'}
  /** Only reads again; changes accepted meanwhile are still shown. */
  | {readonly kind: 'refresh'};

/** The changes after reading or an action; or why that failed, as a sentence. */
export type ReviewOutcome =
  | {
      readonly ok: true;
      readonly review: Review;
      /** What was done, or why it was not, as a sentence. */
      readonly message: string | undefined;
      /** False if an action was refused. */
      readonly isDone: boolean;
      readonly hasChangedFiles: boolean;
      /** The sentence about the change that was undone. */
      readonly undoes?: string | undefined;
    }
  | {readonly ok: false; readonly why: string};
