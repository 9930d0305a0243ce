import {expect, test} from 'vitest';
import {bytes, codeFence, compactNumber, cost, duration} from '../../../src/text/format.ts';

test.each([
  [0, '0 ms'],
  [999.6, '1.0 s'],
  [3_240, '3.2 s'],
  [9_960, '10 s'],
  [59_600, '1 min'],
  [65_000, '1 min 5 s'],
  [3_600_000, '1 h'],
  [7_380_000, '2 h 3 min'],
  [-5, '0 ms'],
])('a duration of %d ms reads %s', (ms, expected) => {
  expect(duration(ms)).toBe(expected);
});

test.each([
  [0, '0'],
  [999, '999'],
  [999.7, '1k'],
  [12_345, '12.3k'],
  [99_960, '100k'],
  [999_600, '1M'],
  [4_500_000, '4.5M'],
  [-1_500, '-1.5k'],
])('%d counts as %s', (value, expected) => {
  expect(compactNumber(value)).toBe(expected);
});

test.each([
  [512, '512 B'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [33_554_432, '32 MiB'],
])('%d bytes read %s', (count, expected) => {
  expect(bytes(count)).toBe(expected);
});

test.each([
  [{amount: 0, currency: 'USD'}, '$0.00'],
  [{amount: 0.0423, currency: 'USD'}, '$0.042'],
  [{amount: 0.00001234, currency: 'USD'}, '$0.000012'],
  [{amount: 1.2, currency: 'EUR'}, '1.20 EUR'],
  [{amount: -12.5, currency: 'USD'}, '-$12.50'],
])('%o costs %s', (value, expected) => {
  expect(cost(value)).toBe(expected);
});

test('a fence is longer than any of very many runs of backticks', () => {
  expect(codeFence('a `'.repeat(200_000)).slice(0, 5)).toBe('```\na');
  expect(codeFence('a `'.repeat(200_000) + ' ````').startsWith('`````\n')).toBe(true);
});
