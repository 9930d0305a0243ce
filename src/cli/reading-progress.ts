import type {Progress} from '../storage/sessions/maintenance.ts';

/** So many sessions take a moment to be read; mostly the index knows them all, or nearly. */
const MANY_FILES = 100;

/** Tells how far the reading of what is stored is; '' when it is over. Of few sessions nothing is told. */
export function reportReading(status: ((text: string) => void) | undefined): Progress {
  return (read, of) => {
    if (of >= MANY_FILES) status?.(read === of ? '' : `Reading what is stored: ${read} of ${of} sessions`);
  };
}
