/** Folds one event into a state; returns the same state when nothing changed. */
type Reduce<State, Event> = (state: State, event: Event) => State;

export interface Store<State, Event> {
  /** The state that readers see: at most `flushesPerSecond` new ones a second, unless a key is pressed. */
  getSnapshot(): State;
  /** The newest state, not yet published perhaps; for effects that must not act on an old one. */
  latest(): State;
  /** Calls back after each published change. Returns the way out. */
  subscribe(listener: () => void): () => void;
  /** Folds the event in. `urgent` (keys) publishes at once, everything else with the next flush. */
  dispatch(event: Event, urgency?: 'urgent' | 'soon'): void;
  /** Calls back synchronously after each event, before it is published. For effects; must not be slow. */
  onEvent(listener: (event: Event, state: State) => void): () => void;
}

interface StoreOptions {
  /** How often readers hear of changes that are not urgent. */
  readonly flushesPerSecond?: number;
}

/** Each flush draws a frame, which is nearly all of what streaming costs; more of them are not read any faster. */
const FLUSHES_PER_SECOND = 16;

/**
 * The one place where state lives. Throttling stands here and not in Ink, whose own limit is a debounce that makes keys wait.
 */
export function createStore<State, Event>(
  reduce: Reduce<State, Event>,
  initial: State,
  options: StoreOptions = {},
): Store<State, Event> {
  const interval = 1000 / (options.flushesPerSecond ?? FLUSHES_PER_SECOND);
  const listeners = new Set<() => void>();
  const eventListeners = new Set<(event: Event, state: State) => void>();
  let newest = initial;
  let published = initial;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastFlush = -Infinity;

  function publish(): void {
    clearTimeout(timer);
    timer = undefined;
    lastFlush = performance.now();
    if (published === newest) return;
    published = newest;
    for (const listener of listeners) listener();
  }

  return {
    getSnapshot: () => published,
    latest: () => newest,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch(event, urgency = 'soon') {
      newest = reduce(newest, event);
      for (const listener of eventListeners) listener(event, newest);
      if (urgency === 'urgent') publish();
      else if (published !== newest)
        timer ??= setTimeout(publish, Math.max(0, interval - (performance.now() - lastFlush)));
    },
    onEvent(listener) {
      eventListeners.add(listener);
      return () => eventListeners.delete(listener);
    },
  };
}
