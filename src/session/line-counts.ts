import {counted} from '../text/format.ts';
import type {ReviewStatus} from './review.ts';

/** The size of a turn's changes. */
export interface LineCounts {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** What a turn changed in the folder. */
export interface TurnChanges extends LineCounts {
  /** By path, at most `MAX_LISTED_CHANGES`; missing in sessions stored by an older version. */
  readonly listed?: readonly ChangedFile[];
}

/** So that a turn that changes a whole folder does not fill the session's file. */
export const MAX_LISTED_CHANGES = 50;

/** The size of a file's changes. */
export interface ChangedFile {
  /** Absolute. */
  readonly path: string;
  readonly status: ReviewStatus;
  readonly added: number;
  readonly removed: number;
}

/** Returns `3 files +33 −4`. */
export function lineCountsLabel({files, added, removed}: LineCounts): string {
  if (files === 0) return 'no files';
  return `${counted(files, 'file')} +${added} −${removed}`;
}
