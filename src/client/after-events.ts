import type {AppEvent} from '../app/events.ts';
import type {AppState} from '../app/state.ts';
import type {Store} from '../store.ts';

/** Calls back once after any number of events in a row, outside of their dispatch. */
export function afterEvents(store: Store<AppState, AppEvent>, callback: () => void): void {
  let scheduled = false;
  store.onEvent(() => {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      callback();
    });
  });
}
