import type {Store} from '../src/shared/store.ts';

interface PausedStore<State, Event> extends Store<State, Event> {
  /** Notifies readers of changes they have missed. */
  readonly resume: () => void;
}

/** Returns a store that does not notify its readers while they are not on the screen. */
export function createPausedStore<State, Event>(
  store: Store<State, Event>,
  isAway: () => boolean,
): PausedStore<State, Event> {
  const listeners = new Set<() => void>();
  let seen = store.getSnapshot();
  const getSnapshot = () => {
    if (!isAway()) seen = store.getSnapshot();
    return seen;
  };
  return {
    ...store,
    getSnapshot,
    subscribe(listener) {
      const stop = store.subscribe(() => {
        if (!isAway()) listener();
      });
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
    resume() {
      for (const listener of listeners) listener();
    },
  };
}
