import {failureSentence} from '../../shared/failure-messages.ts';
import type {Failure} from '../../shared/failure.ts';
import {databaseFile} from '../../storage/database/database.ts';
import type {RecordingBegun} from './record-window.ts';

/** Returns a notice if the session is open in another window or is not stored; undefined otherwise. */
export function storedElsewhereNotice(begun: RecordingBegun): string | undefined {
  if (!begun.ok) return `This session is not stored. ${failureSentence(begun.failure)}`;
  const {elsewhere} = begun.value;
  if (!elsewhere) return undefined;
  const why = elsewhere.kind === 'not_offered' ? elsewhere.why : failureSentence(elsewhere);
  return `This session is open twice: ${why}. It is stored as a copy here, and each window shows only its own messages.`;
}

/** Sessions whose files cannot be read. */
export function skippedNotice([first, ...others]: readonly Failure[]): string {
  const what = others.length === 0 ? 'A stored session was' : `${others.length + 1} stored sessions were`;
  const which = others.length === 0 ? '' : 'The first: ';
  return `${what} skipped. ${which}${first ? failureSentence(first) : ''}`;
}

/** Returns a notice about a database or session file that cannot be written. `state` is the state folder. */
export function notStoredNotice(problem: Failure, state: string): string {
  const isDatabase = problem.kind === 'file' && problem.path === databaseFile(state);
  const lost = isDatabase
    ? 'Drafts and the prompt history are not stored, and stored sessions are not listed.'
    : 'This session is not stored: it is lost when acp-tui quits.';
  return `${lost} ${failureSentence(problem)}`;
}
