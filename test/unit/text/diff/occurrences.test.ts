import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {holdsText, occurrences} from '../../../../src/text/diff/occurrences.ts';

test('texts are found where indexOf finds them', () => {
  const letters = fc.string({unit: fc.constantFrom('a', 'b'), maxLength: 40});
  fc.assert(
    fc.property(letters, letters, fc.integer({min: 1, max: 4}), (part, text, most) => {
      const places = Array.from(text, (_, at) => at);
      const expected = places.filter((at) => part !== '' && text.startsWith(part, at));
      expect(occurrences(part, text, most)).toEqual(expected.slice(0, most));
    }),
  );
});

test('a text that almost matches everywhere is searched in linear time', () => {
  const half = 'a'.repeat(100_000);
  const started = performance.now();
  expect(occurrences(`${half}b${half}`, 'a'.repeat(2_000_000), 2)).toEqual([]);
  // Minutes with indexOf.
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('a text holds what includes finds in it', () => {
  const letters = fc.string({unit: fc.constantFrom('a', 'b'), maxLength: 200});
  fc.assert(
    fc.property(letters, letters, fc.nat(200), (text, other, at) => {
      const parts = [other, text.slice(at), text.slice(0, at), `${text.slice(at)}a`];
      for (const part of parts) expect(holdsText(text, part)).toBe(text.includes(part));
    }),
  );
});
