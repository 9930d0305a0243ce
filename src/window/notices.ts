import type {AppEvent} from '../app/events.ts';
import type {AppState, SessionKey} from '../app/state.ts';
import type {Store} from '../shared/store.ts';

/** Adds a notice to a session; without a key to the active one, because notices of the window belong to none. */
export function addNotice(
  store: Store<AppState, AppEvent>,
  text: string,
  {level = 'warning', key = store.latest().active}: {level?: 'info' | 'warning'; key?: SessionKey} = {},
): void {
  const event = {type: 'notice', level, text, at: Date.now()} as const;
  store.dispatch({type: 'session', key, event, at: performance.now()});
}
