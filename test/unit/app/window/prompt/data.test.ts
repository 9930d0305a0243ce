import {describe, expect, test} from 'vitest';
import {commands} from '../../../../../src/app/commands/index.ts';
import {helpSections, keyRows} from '../../../../../src/app/pages/help-page.ts';
import {keyName} from '../../../../../src/app/keymap/key-names.ts';
import {defaultKeymap, withBindings} from '../../../../../src/app/keymap/keymap.ts';

describe('the help', () => {
  const rows = helpSections().flatMap((section) => section.rows);

  test('lists every command', () => {
    const listed = rows.map((row) => row.keys.split(' ')[0]);
    expect(listed).toEqual(expect.arrayContaining(commands.map(({name}) => `/${name}`)));
  });

  test('lists every bound key', () => {
    const bound = Object.values(defaultKeymap).flatMap((bindings) => Object.values(bindings).flat());
    const listed = new Set(rows.flatMap((row) => row.keys.split(', ')));
    const digits = /^\d$/;
    expect(bound.filter((key) => !digits.test(key) && !listed.has(keyName(key)))).toEqual([]);
    expect(listed).toContain('1…9');
  });

  test('shows the current bindings, and omits unbound actions', () => {
    const keymap = withBindings(defaultKeymap, {request: {allow_once: ['ctrl+y'], allow_always: []}});
    const shown = keyRows(keymap.request);
    expect(shown).toContainEqual({keys: 'Ctrl+Y', does: 'allow once', action: 'allow_once'});
    expect(shown.some((row) => row.does === 'always allow')).toBe(false);
  });
});

test.each([
  ['ctrl+c', 'Ctrl+C'],
  ['shift+tab', 'Shift+Tab'],
  ['escape', 'Esc'],
  ['y', 'y'],
  ['alt+up', 'Alt+↑'],
  ['ctrl+_', 'Ctrl+_'],
  ['pagedown', 'PgDn'],
])('%s is written %s', (combination, name) => {
  expect(keyName(combination)).toBe(name);
});
