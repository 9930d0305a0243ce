import {expect, test} from 'vitest';
import {edgeRow} from '../../../../components/layout/box.ts';
import {symbolsFor} from '../../../../components/theme/symbols.ts';
import {width} from '../../../../src/text/width.ts';

const edge = (left: string, right: string) =>
  edgeRow(
    'bottom',
    {left, right},
    {style: (text) => text, theme: {columns: 40, isLinear: false, symbols: symbolsFor('unicode')}},
  );

test('an edge fills its row', () => {
  expect(width(edge('Agent', 'work'))).toBe(40);
});

test('an edge with marks does not wrap in a terminal that gives them a width', () => {
  const name = 'မြန်မာ';
  const marks = name.match(/\p{M}/gu)?.length ?? 0;
  expect(marks).toBeGreaterThan(2);
  expect(width(edge(name, 'work')) + marks).toBeLessThanOrEqual(40);
});
