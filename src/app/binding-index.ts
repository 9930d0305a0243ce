import type {Action, Bindings} from './keymap.ts';

const indexes = new WeakMap<Bindings, ReadonlyMap<string, Action>>();

/** What each key of a context does. */
export function indexOf(bindings: Bindings): ReadonlyMap<string, Action> {
  let found = indexes.get(bindings);
  if (!found) {
    const pairs = Object.entries(bindings) as [Action, readonly string[]][];
    found = new Map(pairs.flatMap(([action, keys]) => keys.map((key) => [key, action] as const)));
    indexes.set(bindings, found);
  }
  return found;
}
