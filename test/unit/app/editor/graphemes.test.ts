import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {edgeAtOrAfter, edgeAtOrBefore} from '../../../../src/app/editor/graphemes.ts';

const parts = fc.constantFrom(
  'a',
  ' ',
  '\n',
  'é',
  'e',
  '\u0301',
  '漢',
  'か',
  '\u3099',
  '👩',
  '\u200d',
  '🇩',
  '🇪',
  '각',
  'ᄀ',
  'ᅡ',
  '\r',
  '\u0600',
  'ж',
);
const texts = fc.oneof(
  fc.string({unit: parts, maxLength: 20}),
  // Longer than the range inspected around a position.
  fc
    .tuple(fc.string({unit: parts, maxLength: 6}), fc.integer({min: 1, max: 600}))
    .map(([text, times]) => text.repeat(times)),
);

test('edges are those of the whole text, wherever it is read', () => {
  fc.assert(
    fc.property(texts, fc.nat(), (text, place) => {
      const offset = place % (text.length + 1);
      const edges = [...Array.from(new Intl.Segmenter().segment(text), ({index}) => index), text.length];
      expect(edgeAtOrBefore(text, offset)).toBe(edges.findLast((edge) => edge <= offset));
      expect(edgeAtOrAfter(text, offset)).toBe(edges.find((edge) => edge >= offset));
    }),
  );
});
