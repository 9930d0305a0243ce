import {useSyncExternalStore} from 'react';

/** What can be subscribed to; the store of the window, or a feed made from it. */
export interface Readable<State> {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => State;
}

/** Reads a part of a store; draws again only when the part has changed. The selector must return existing references. */
export function useStore<State, Part>(store: Readable<State>, select: (state: State) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => select(store.getSnapshot()));
}
