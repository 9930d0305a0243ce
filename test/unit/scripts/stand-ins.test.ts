import * as fc from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {Segmenter} from '../../../scripts/stand-ins/segmenter.ts';
import quickWidth from '../../../scripts/stand-ins/string-width.ts';

const texts = fc.oneof(
  fc.string(),
  fc.string({unit: 'grapheme'}),
  fc.string({unit: 'binary'}),
  fc.string({
    unit: fc.constantFrom('a', ' ', '─', '日', '\r', '\n', '\x1b[31m', '\u0301', '👩', '\u200d', 'é'),
  }),
);

test.each(['grapheme', 'word'] as const)('the segmenter of the bundle finds the same %ss', (granularity) => {
  const [ours, real] = [Segmenter, Intl.Segmenter].map((Kind) => new Kind(undefined, {granularity}));
  fc.assert(
    fc.property(texts, (text) => {
      const cut = (segmenter = real) =>
        Array.from(segmenter?.segment(text) ?? [], ({segment, index}) => [segment, index]);
      expect(cut(ours)).toEqual(cut(real));
    }),
  );
});

test('the segmenter of the bundle finds the same grapheme at an index', () => {
  fc.assert(
    fc.property(texts, fc.integer({min: -1, max: 12}), (text, place) => {
      expect(new Segmenter().segment(text).containing(place)?.segment).toBe(
        new Intl.Segmenter().segment(text).containing(place)?.segment,
      );
    }),
  );
});

test('the width in the bundle equals string-width, with every option', () => {
  const options = fc.constantFrom(undefined, {ambiguousIsNarrow: false}, {countAnsiEscapeCodes: true});
  fc.assert(
    fc.property(texts, options, (text, options) => {
      expect(quickWidth(text, options)).toBe(stringWidth(text, options));
    }),
  );
});
