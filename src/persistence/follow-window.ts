import type {AppEvent} from '../app/events.ts';
import {unsent} from '../app/sessions.ts';
import type {AppState, OpenSession, SessionKey} from '../app/state.ts';
import type {Store} from '../store.ts';
import type {Journal} from './journal.ts';
import {isEmpty} from './journal-state.ts';

/**
 * Puts back what an earlier run left behind, then writes what was typed and not sent into the journal as it changes: right after
 * the frame that shows it, so that no key waits for the disk. Returns what writes the last change.
 */
export function followWindow(
  store: Store<AppState, AppEvent>,
  key: SessionKey,
  journal: Journal,
): () => void {
  const [newest] = journal.orphans();
  if (newest?.claim()) store.dispatch({type: 'journal_loaded', key, ...newest.state});
  let noted = store.current().sessions[key];
  let scheduled: NodeJS.Immediate | undefined;

  function write(): void {
    clearImmediate(scheduled);
    scheduled = undefined;
    if (noted) journal.write(unsent(noted));
  }
  store.onEvent((_event, state) => {
    const open = state.sessions[key];
    if (!open || (noted && isSame(open, noted))) return;
    noted = open;
    scheduled ??= setImmediate(write);
  });
  // What was taken over, and what was typed before.
  if (noted && !isEmpty(unsent(noted))) write();
  return () => {
    if (scheduled) write();
  };
}

function isSame(one: OpenSession, other: OpenSession): boolean {
  return one.draft === other.draft && one.queue === other.queue && one.note === other.note;
}
