import {expect, test} from 'vitest';
import {edgeRow} from '../../../../components/layout/box.ts';
import {width} from '../../../../src/text/width.ts';
import {plainTheme} from '../../../support/screen/theme.ts';

const edge = (left: string, right: string) =>
  edgeRow({side: 'bottom', color: (text) => text, left, right}, plainTheme({columns: 40}));

test('an edge fills its row', () => {
  expect(width(edge('Agent', 'work'))).toBe(40);
});

test('an edge has no gap for a note that is still blank', () => {
  expect(edge(' ', '')).toBe(edge('', ''));
});

test('an edge with marks does not wrap in a terminal that gives them a width', () => {
  const name = 'မြန်မာ';
  const marks = name.match(/\p{M}/gu)?.length ?? 0;
  expect(marks).toBeGreaterThan(2);
  expect(width(edge(name, 'work')) + marks).toBeLessThanOrEqual(40);
});
