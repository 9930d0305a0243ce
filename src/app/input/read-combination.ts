import {namedKeys} from './key-event.ts';

/** What people also write. */
const synonyms: Readonly<Record<string, string>> = {
  control: 'ctrl',
  meta: 'alt',
  option: 'alt',
  esc: 'escape',
  return: 'enter',
  del: 'delete',
  pgup: 'pageup',
  pgdn: 'pagedown',
};

/** The order in which `combinationOf` writes them. */
const modifiers = ['ctrl', 'alt', 'shift'] as const;

/** How keys are written, for whoever wrote one that is none. */
export const KEYS_ALLOWED = `a character or one of ${namedKeys.join(', ')}, after any of ctrl+, alt+ and shift+`;

/** A combination as users write it (`Ctrl+Y`, `alt+shift+left`, `G`), in the form of `combinationOf`; undefined when it is none. */
export function readCombination(written: string): string | undefined {
  // The last + may be the key itself.
  const parts = written.trim().split(/\+(?=.)/u);
  const key = parts.pop() ?? '';
  const isCharacter = /^\S$/u.test(key);
  const name = isCharacter ? key : (synonyms[key.toLowerCase()] ?? key.toLowerCase());
  const isKey = isCharacter || (namedKeys as readonly string[]).includes(name);
  const held = new Set(parts.map((part) => synonyms[part.toLowerCase()] ?? part.toLowerCase()));
  const areModifiers = [...held].every((part) => (modifiers as readonly string[]).includes(part));
  if (!isKey || !areModifiers) return undefined;
  if (name !== name.toLowerCase() && held.size === 0) held.add('shift');
  return [...modifiers.filter((modifier) => held.has(modifier)), name.toLowerCase()].join('+');
}
