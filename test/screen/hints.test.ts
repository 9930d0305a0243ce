import {expect, test} from 'vitest';
import {fittingLine, styledHints} from '../../components/layout/hints.ts';
import {UNBOUND} from '../../src/app/keymap/key-names.ts';
import {hintText, joinKeys, partOfHints, type Hint} from '../../src/app/keymap/hints.ts';
import {stripStyles} from '../../src/text/ansi.ts';
import {width} from '../../src/text/width.ts';
import {plainTheme} from '../support/screen/theme.ts';

const theme = () => {
  const {paint} = plainTheme();
  return {paint: {...paint, dim: (words: string) => `<${words}>`}};
};

test.each<[readonly Hint[], string]>([
  [
    [
      ['Enter', 'select'],
      ['Esc', 'close'],
    ],
    'Enter< select>< · >Esc< close>',
  ],
  [['Type to filter', ['PgUp PgDn', 'scroll']], '<Type to filter>< · >PgUp PgDn< scroll>'],
  [[['news', '']], 'news'],
  [['one\x1b[2J'], '<one␛>'],
  [[[UNBOUND, 'close'], '', ['Esc', 'back']], 'Esc< back>'],
])('the keys of hints are bright, and their words dim: %j', (hints, styled) => {
  expect(styledHints(hints, theme())).toBe(styled);
});

test.each([
  [41, 'Type to filter · Enter select · Esc close'],
  [40, 'Type to filter · Enter select'],
  [20, 'Type to filter'],
  [8, 'Type to…'],
])('hints fit %i columns as whole ones, from the first', (columns, line) => {
  const hints: readonly Hint[] = ['Type to filter', '', ['Enter', 'select'], ['Esc', 'close']];
  expect(stripStyles(fittingLine(hints, columns, plainTheme()))).toBe(line);
});

test('keys that belong together are named as far as there are any', () => {
  const hint = (...keys: readonly string[]) => hintText([[joinKeys(keys), 'move']]);
  expect([hint('↑', '↓'), hint(UNBOUND, '↓'), hint(UNBOUND, UNBOUND)]).toEqual(['↑ ↓ move', '↓ move', '']);
});

test.each([10, 24, 30, 70])('hints in parts are all shown, in turn, in %i columns', (columns) => {
  const hints: readonly Hint[] = Array.from({length: 9}, (_, index) => [`${index}`, 'hint']);
  const parts = Array.from({length: 9}, (_, part) => partOfHints(hints, columns, plainTheme({hints: part})));
  const shown = new Set(parts.flat());
  expect(hints.every((hint) => shown.has(hint))).toBe(true);
  expect(parts.every((part) => part.length === 2 || width(hintText(part)) <= columns)).toBe(true);
  expect(parts.every((part) => hintText(part).endsWith('? more'))).toBe(true);
});

test('hints that fit are all there, without a key for others', () => {
  const hints: readonly Hint[] = [
    ['Enter', 'select'],
    ['Esc', 'close'],
  ];
  expect(partOfHints(hints, 24, plainTheme({hints: 3}))).toEqual(hints);
});

test('hints that do not fit are left out, and the first one is cut', () => {
  const hints: readonly Hint[] = [['Enter', 'select'], '', ['Esc', 'close'], ['?', 'help']];
  expect([25, 24, 21, 12, 6].map((columns) => fittingLine(hints, columns, plainTheme()))).toEqual([
    'Enter select · Esc close',
    'Enter select · Esc close',
    'Enter select',
    'Enter select',
    'Enter…',
  ]);
});
