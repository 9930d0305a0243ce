import {describe, expect, test} from 'vitest';
import {collapse, wrapHanging, wrapCollapsed} from '../../../../components/layout/lines.ts';
import {shownLocation, shownPath} from '../../../../src/text/format.ts';
import {plainTheme} from '../../../support/screen/theme.ts';

const theme = plainTheme({columns: 20});
const wide = plainTheme({columns: 40});
const lines = (count: number) => Array.from({length: count}, (_, index) => `line ${index + 1}`);

describe('folding', () => {
  test('shows what fits, and counts the rest', () => {
    expect(collapse(lines(10), {most: 2, keep: 'head'}, wide)).toEqual([
      'line 1',
      'line 2',
      '… 8 more lines · Ctrl+O show all',
    ]);
    expect(collapse(lines(10), {most: 2, keep: 'tail'}, wide)).toEqual([
      '… 8 earlier lines · Ctrl+O show all',
      'line 9',
      'line 10',
    ]);
  });

  test('shows a single line instead of its count', () => {
    expect(collapse(lines(3), {most: 2, keep: 'head'}, theme)).toEqual(lines(3));
  });

  test('can show only the count', () => {
    expect(collapse(lines(12), {most: 0, keep: 'head'}, wide)).toEqual(['… 12 lines · Ctrl+O show all']);
  });

  test('wraps hardly more of a text than it shows', () => {
    const shown = wrapCollapsed('x'.repeat(5_000_000), {most: 3, keep: 'tail'}, theme);
    expect(shown).toHaveLength(4);
    expect(shown[0]).toBe('… 249997 earlier li…');
  });
});

test('a hanging text is beside its sign, and never below it', () => {
  expect(wrapHanging('*', 'one two three four five six', theme)).toEqual([
    '* one two three four',
    '  five six',
  ]);
});

describe('a path', () => {
  test('inside the folder is shown relative to it', () => {
    expect(shownPath('/work/src/a.ts', '/work')).toBe('src/a.ts');
    expect(shownPath('/work/src/a.ts', '/work/')).toBe('src/a.ts');
    expect(shownPath('C:\\work\\a.ts', 'C:\\work')).toBe('a.ts');
    expect(shownPath('/work', '/work')).toBe('.');
    expect(shownPath('/etc/hosts', '/')).toBe('etc/hosts');
  });

  test('elsewhere is shown in full, even if its name starts alike', () => {
    expect(shownPath('/workshop/a.ts', '/work')).toBe('/workshop/a.ts');
  });

  test('can have a line', () => {
    expect(shownLocation({path: '/work/a.ts', line: 3}, '/work')).toBe('a.ts:3');
    expect(shownLocation({path: '/work/a.ts', line: null}, '/work')).toBe('a.ts');
  });
});
