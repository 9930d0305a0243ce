import {defaultKeymap, keysFor, type Action, type Keymap} from './keymap.ts';

/** Returns a combination for display: `Ctrl+C`, `Shift+Tab`, `↑`, `y`. */
export function keyName(combination: string): string {
  const [key = '', ...modifiers] = combination.split(/\+(?=.)/).reverse();
  const name = names[key] ?? (key.length > 1 || modifiers.length > 0 ? capitalized(key) : key);
  return [...modifiers.reverse().map(capitalized), name].join('+');
}

/** What stands for the key of an action that has none. */
export const UNBOUND = 'unbound';

/** Returns the name of an action's key for hints; `unbound` if it has none. */
export function keyFor(action: Action, keymap: Keymap = defaultKeymap): string {
  const [key] = keysFor(action, keymap);
  return key === undefined ? UNBOUND : keyName(key);
}

/** Returns a key after the leader key for display: `Ctrl+X i`; if an action has a key for each number, that of `number`. */
export function leaderKeyFor(action: Action, keymap: Keymap = defaultKeymap, number = 1): string {
  const [first, second] = [keysFor('more_keys', keymap)[0], keymap.more[action]?.[number - 1]];
  return first === undefined || second === undefined ? UNBOUND : `${keyName(first)} ${keyName(second)}`;
}

/** Returns the names of all keys of a keymap, as `keyFor` and `leaderKeyFor` do. */
export function keyNames(keymap: Keymap) {
  return {
    keyOf: (action: Action) => keyFor(action, keymap),
    leaderKeyOf: (action: Action) => leaderKeyFor(action, keymap),
  };
}

const names: Readonly<Record<string, string>> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  escape: 'Esc',
  pageup: 'PgUp',
  pagedown: 'PgDn',
};

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
