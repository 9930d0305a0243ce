import type {AppEvent} from '../app/events.ts';
import type {AppState} from '../app/state.ts';
import type {Store} from '../shared/store.ts';

/** Calls back once after any number of events in a row, outside of their dispatch. Returns the way out. */
export function afterEvents(store: Store<AppState, AppEvent>, callback: () => void): () => void {
  let scheduled = false;
  let isOver = false;
  const stop = store.onEvent(() => {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      if (!isOver) callback();
    });
  });
  return () => {
    isOver = true;
    stop();
  };
}
