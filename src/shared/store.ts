/** Applies an event to a state; returns the same state if nothing changed. */
type Reduce<State, Event> = (state: State, event: Event) => State;

export interface Store<State, Event> {
  /** The published state, named as in React's stores: at most 22 new ones per second, unless a key is pressed. */
  getSnapshot(): State;
  /** The newest state, which may not be published yet; for effects that must not act on a stale one. */
  latest(): State;
  /** Calls the listener after each published change. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Applies the event. `urgent` (keys) publishes at once, everything else with the next flush. */
  dispatch(event: Event, urgency?: 'urgent' | 'soon'): void;
  /** Calls the listener synchronously after each event, before it is published. For effects; must be fast. */
  onEvent(listener: (event: Event, state: State) => void): () => void;
}

/** A readable state: the window's store, or a feed derived from it. */
export interface ReadableStore<State> {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => State;
}

/** Creates a set of listeners. */
export function createListeners<Args extends readonly unknown[] = []>() {
  const listeners = new Set<(...args: Args) => void>();
  return {
    /** Returns the unsubscribe function. */
    subscribe: (listener: (...args: Args) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify: (...args: Args) => {
      for (const listener of listeners) listener(...args);
    },
  };
}

/** Each flush draws a frame, which is most of the cost of streaming. Text that arrives in fewer than 20 steps a second looks jerky. */
const FLUSH_INTERVAL_MS = 1000 / 22;

/** Creates the only holder of state. Throttled here and not in Ink, whose own limit is a debounce that delays keys. */
export function createStore<State, Event>(reduce: Reduce<State, Event>, initial: State): Store<State, Event> {
  const {subscribe, notify} = createListeners();
  const events = createListeners<[event: Event, state: State]>();
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
    notify();
  }

  return {
    getSnapshot: () => published,
    latest: () => newest,
    subscribe,
    dispatch(event, urgency = 'soon') {
      newest = reduce(newest, event);
      events.notify(event, newest);
      if (urgency === 'urgent') publish();
      else if (published !== newest)
        timer ??= setTimeout(publish, Math.max(0, FLUSH_INTERVAL_MS - (performance.now() - lastFlush)));
    },
    onEvent: events.subscribe,
  };
}
