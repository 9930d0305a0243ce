import {descriptions} from '../../src/app/action-descriptions.ts';
import type {Action, Context, Keymap} from '../../src/app/keymap.ts';

const titles: Readonly<Record<Context, string>> = {
  everywhere: 'Everywhere',
  prompt: 'In the prompt',
  request: 'In a request',
  picker: 'In a list',
  overlay: 'In a page',
};

const order: readonly Context[] = ['everywhere', 'prompt', 'request', 'picker', 'overlay'];

/** All keys and what they do, as text. */
export function keymapPage(keymap: Keymap): string {
  return order.map((context) => [titles[context], ...keysOf(keymap, context)].join('\n')).join('\n\n');
}

function keysOf(keymap: Keymap, context: Context): string[] {
  const rows = (Object.entries(keymap[context]) as [Action, readonly string[]][])
    .filter(([, keys]) => keys.length > 0)
    .map(([action, keys]) => [keys.join(', '), descriptions[action]] as const);
  const columns = Math.min(24, Math.max(...rows.map(([keys]) => keys.length)));
  return rows.map(([keys, description]) => `  ${keys.padEnd(columns)}  ${description}`);
}
