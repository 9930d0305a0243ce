import {expect, test} from 'vitest';
import {menuPanel} from '../../../components/panels/command-menu.ts';
import type {Menu} from '../../../src/app/completion/menu.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {linesOfPanel} from '../../support/screen/frame-of.tsx';

/** The lines of a menu. */
function menuOf(menu: Menu, rows: number, columns: number): string[] {
  const theme = plainTheme({columns});
  return linesOfPanel(menuPanel(menu, rows, theme), theme);
}

test('file names stay visible in very little space', () => {
  const file = {path: 'src/', absolute: '/work/src/', isFolder: true};
  const item = {
    text: 'src/',
    argument: undefined,
    source: 'files',
    aliases: [],
    unavailable: undefined,
    file,
  } as const;
  const items = [{...item, description: 'the folder itself'}];
  expect(menuOf({items, selected: 0}, 2, 20)).toEqual(['❯ src/  the folder …']);
});

test.each([40, 120])('arguments are listed with what may follow, at %d columns', (columns) => {
  const item = {argument: undefined, description: '', aliases: [], unavailable: undefined} as const;
  const path = `packages/${'nested/'.repeat(8)}`;
  const items = [
    {...item, text: '(leave out)', source: 'arguments' as const},
    {...item, text: 'debug', argument: '[folder]', source: 'arguments' as const},
    {...item, text: path, source: 'arguments' as const, file: {path, absolute: `/${path}`, isFolder: true}},
  ];
  const lines = menuOf({items, selected: 1}, 8, columns);
  expect(lines.map((line) => line.trimEnd()).join('\n')).toMatchSnapshot();
});

test('a menu that does not fit says how long it is', () => {
  const item = {argument: undefined, source: 'client', aliases: [], unavailable: undefined} as const;
  const items = Array.from({length: 20}, (_, index) => ({...item, text: `/c${index}`, description: ''}));
  const lines = menuOf({items, selected: 11}, 8, 40);
  expect(lines).toHaveLength(8);
  expect(lines[0]).toBe('─ Commands ────────────────── 12 of 20 ─');
  expect(lines).toContain('❯ /c11');
});

test('the menu lists as many commands as there are rows for, and few files', () => {
  const item = {argument: undefined, description: '', aliases: [], unavailable: undefined};
  const commands = Array.from({length: 281}, (_, index) => ({
    ...item,
    text: `/c${index}`,
    source: 'agent' as const,
  }));
  const files = commands.map((command) => ({...command, file: {path: 'a', absolute: '/a', isFolder: false}}));
  const drawn = (items: typeof commands) => menuOf({items, selected: 0}, 22, 50).length;
  expect(drawn(commands)).toBe(22);
  expect(drawn(files)).toBe(8);
});
