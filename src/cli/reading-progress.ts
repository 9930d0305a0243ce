import type {Progress} from '../storage/sessions/maintenance.ts';

/** So many sessions take a moment to be read; mostly the index knows them all, or nearly. */
const MANY_FILES = 100;

/** Reports the progress of reading stored sessions; '' at the end. Few sessions report nothing. */
export function reportReading(status: ((text: string) => void) | undefined): Progress {
  return (read, of) => {
    if (of >= MANY_FILES) status?.(read === of ? '' : `Reading stored sessions: ${read} of ${of}`);
  };
}
