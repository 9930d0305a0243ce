import type {OnProgress} from '../storage/sessions/maintenance.ts';

/** Reading this many sessions takes noticeable time; usually almost all are indexed. */
const MANY_FILES = 100;

/** Reports the progress of reading stored sessions; '' at the end. Few sessions report nothing. */
export function reportReading(status: ((text: string) => void) | undefined): OnProgress {
  return (read, of) => {
    if (of >= MANY_FILES) status?.(read === of ? '' : `Reading stored sessions: ${read} of ${of}`);
  };
}
