import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {allRows, joinRows, lazyRows, mapRows} from '../../../../components/layout/lazy-rows.ts';
import {rowsOfExactDiff} from '../../../../components/tool-call/diff.ts';
import {escapeHiddenFile} from '../../../../src/text/hidden.ts';
import {plainTheme} from '../../../support/screen/theme.ts';

const place = fc.nat(40);

test('rows are the same in parts and as a whole', () => {
  const sources = fc.array(fc.array(fc.string({maxLength: 2}), {maxLength: 3}), {maxLength: 8});
  fc.assert(
    fc.property(fc.array(sources, {maxLength: 4}), place, place, (parts, from, count) => {
      const lazy = parts.map((lists) =>
        lazyRows(lists, {count: (list) => list.length, rowsOf: (list) => list}),
      );
      const rows = mapRows(joinRows([['first'], ...lazy]), (line) => `${line}.`);
      expect(allRows(rows)).toEqual(['first', ...parts.flat(2)].map((line) => `${line}.`));
      expect(rows.slice(from, from + count)).toEqual(allRows(rows).slice(from, from + count));
    }),
  );
});

test('only the shown rows are drawn', () => {
  const drawn: number[] = [];
  const rowsOf = (index: number) => {
    drawn.push(index);
    return [String(index), '…'];
  };
  const rows = lazyRows(
    Array.from({length: 1000}, (_, index) => index),
    {count: () => 2, rowsOf},
  );
  expect(rows.slice(501, 504)).toEqual(['…', '251', '…']);
  expect(drawn).toEqual([250, 251]);
});

test('a change to be approved has as many rows as are counted', () => {
  const line = fc.oneof(
    fc.string({maxLength: 60}),
    fc.string({unit: fc.constantFrom('a', ' ', '\t', '漢', '\u200b', 'e\u0301'), maxLength: 40}),
    fc.integer({min: 20, max: 40}).map((length) => 'x'.repeat(length)),
  );
  const text = fc.array(line, {maxLength: 12}).map((lines) => escapeHiddenFile(lines.join('\n')));
  fc.assert(
    fc.property(
      fc.option(text),
      text,
      fc.integer({min: 8, max: 50}),
      place,
      (oldText, newText, columns, from) => {
        const theme = plainTheme({columns, extent: 'exact'});
        const rows = rowsOfExactDiff({path: 'a.ts', oldText, newText}, {}, theme);
        expect(allRows(rows)).toHaveLength(rows.length);
        expect(rows.slice(from, from + 10)).toEqual(allRows(rows).slice(from, from + 10));
      },
    ),
    {numRuns: 400},
  );
});
