import {pluralize} from '../text/format.ts';

/** The size of a turn's changes. */
export interface LineCounts {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Returns `3 files +33 −4`. */
export function lineCountsLabel({files, added, removed}: LineCounts): string {
  if (files === 0) return 'no files';
  return `${pluralize(files, 'file')} +${added} −${removed}`;
}
