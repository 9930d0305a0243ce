import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {readCombination} from '../../../src/app/input/keys.ts';
import {defaultKeymap} from '../../../src/app/keymap/keymap.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const table = readme.slice(readme.indexOf('## Use it'), readme.indexOf('docs/keys-and-commands.md'));
const rows = table.matchAll(/^\| (?!key |-)(.+?) *\| .+\|$/gm);

/** `Ctrl+A E, Alt+B` names three keys: one without a modifier has the previous one's. */
function keysOf(cell: string): string[] {
  let held = '';
  const words = cell
    .replace(/ (?:on|then|or|and)\b.*| Enter$/, '')
    .replaceAll(/[`,·]/g, ' ')
    .split(/\s+/);
  return words.flatMap((word) => {
    if (word === '' || word === '\\') return [];
    held = /^(?:(?:Ctrl|Alt|Shift)\+)+(?=.)/.exec(word)?.[0] ?? held;
    const arrows: Readonly<Record<string, string>> = {'←': 'left', '→': 'right', '↑': 'up', '↓': 'down'};
    const key = word.startsWith(held) ? word.slice(held.length) : word;
    return [`${held}${arrows[key] ?? key}`.toLowerCase()];
  });
}

test('every key that the README names does something', () => {
  const bound = new Set(Object.values(defaultKeymap).flatMap((bindings) => Object.values(bindings).flat()));
  const named = [...rows].flatMap(([, cell = '']) => keysOf(cell));
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((key) => !bound.has(readCombination(key) ?? key))).toEqual([]);
});
