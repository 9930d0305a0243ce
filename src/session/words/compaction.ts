import type {CompactionEntry} from '../entries.ts';

/** What became of making the context smaller. */
export function compactionWords({status, error}: CompactionEntry): string {
  switch (status) {
    case 'in_progress':
      return 'Making the context smaller';
    case 'completed':
      return 'The agent made its context smaller';
    case 'failed':
      return `The agent could not make its context smaller${error === undefined ? '' : `: ${error}`}`;
    case 'cancelled':
      return 'Making the context smaller was cancelled';
    default:
      return `Making the context smaller: ${status}`;
  }
}
