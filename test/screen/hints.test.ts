import {expect, test} from 'vitest';
import {fittingLine, styledHints} from '../../components/layout/hints.ts';
import {UNBOUND} from '../../src/app/keymap/key-names.ts';
import type {Hint} from '../../src/app/keymap/hints.ts';
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
