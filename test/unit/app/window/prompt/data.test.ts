import {Chalk} from 'chalk';
import {describe, expect, test} from 'vitest';
import {commands} from '../../../../../src/app/commands/index.ts';
import {helpSections, requestHelp} from '../../../../../src/app/pages/help-page.ts';
import {keyName} from '../../../../../src/app/keymap/key-names.ts';
import {defaultKeymap, withBindings} from '../../../../../src/app/keymap/keymap.ts';
import {themeNamed, themes, type Theme} from '../../../../../src/app/themes.ts';

describe('the help', () => {
  const rows = helpSections().flatMap((section) => section.rows);

  test('lists every command of ours', () => {
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

  test('shows the keys as they are bound now, and leaves out what has none', () => {
    const keymap = withBindings(defaultKeymap, {request: {allow_once: ['ctrl+y'], allow_always: []}});
    const shown = requestHelp(keymap);
    expect(shown).toContainEqual({keys: 'Ctrl+Y', does: 'allow once'});
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

describe('themes', () => {
  const coloursOf = ({code, ...colours}: Theme) => [
    ...Object.entries(colours).flatMap(([part, colour]) => (part === 'name' ? [] : [colour])),
    ...Object.values(code),
  ];

  test.each(themes.map((theme) => [theme.name, theme] as const))(
    '%s has colours that chalk knows',
    (_, theme) => {
      const chalk = new Chalk({level: 3});
      const unknown = coloursOf(theme).filter(
        (colour) => colour !== undefined && !/^#[0-9a-f]{6}$/.test(colour) && !(colour in chalk),
      );
      expect(unknown).toEqual([]);
    },
  );

  test('the plain one has none', () => {
    expect(coloursOf(themeNamed('plain')).filter(Boolean)).toEqual([]);
  });

  test('an unknown name gives the dark one', () => {
    expect(themeNamed('no such').name).toBe('dark');
  });
});
