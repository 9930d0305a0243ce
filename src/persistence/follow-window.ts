import type {AppEvent} from '../app/events.ts';
import {unsent} from '../app/sessions.ts';
import type {AppState, SessionKey} from '../app/state.ts';
import type {Store} from '../store.ts';
import type {Journal} from './journal.ts';

/** Writes what was typed and not sent into the journal as it changes, and puts back what an earlier run left behind. */
export function followWindow(store: Store<AppState, AppEvent>, key: SessionKey, journal: Journal): void {
  const [newest] = journal.orphans();
  if (newest?.claim()) store.dispatch({type: 'journal_loaded', key, ...newest.state});
  let written = store.current().sessions[key];
  store.onEvent((_event, state) => {
    const open = state.sessions[key];
    if (
      !open ||
      (open.draft === written?.draft && open.queue === written.queue && open.note === written.note)
    )
      return;
    written = open;
    journal.write(unsent(open));
  });
  if (newest && written) journal.write(unsent(written));
}
