import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {splitAt, inkInput, slowInkInput, joinText, paste} from './ink-input.ts';

const anyKey = fc.constantFrom(
  '\x7f',
  '\x01',
  '\x1f',
  '\0',
  '\x1b[A',
  '\x1b[1;5C',
  '\x1bOH',
  '\x1b[3~',
  '\x1b[13;2u',
  '\x1b[27u',
  '\x1bb',
  '\x1b\x7f',
  '\x1b\r',
  '\x1b_',
  '\x1b\x1b[A',
  '\x1b[[A',
  '\x1b[2$',
  '\x1b[Z',
);
const plainText = fc
  .string({unit: 'grapheme', minLength: 1, maxLength: 6})
  .filter((text) => !/[\p{Cc}]/u.test(text));
const pasted = fc
  .string({
    unit: fc.constantFrom('a', '\r', '\n', '\t', '\x1b', '[', '2', '0', '1', '字', '😀'),
    maxLength: 30,
  })
  .filter((text) => !text.includes('\x1b[201~'))
  .map(paste);

describe('any input', () => {
  it('gives the same keys, text and pastes however it is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyKey, plainText, pasted), {maxLength: 8}),
        fc.array(fc.nat(), {maxLength: 8}),
        (pieces, places) => {
          const input = pieces.join('');
          expect(joinText(inkInput(...splitAt(input, places)))).toEqual(joinText(inkInput(input)));
        },
      ),
    );
  });

  it('gives the same when it is split within the bytes of a character', () => {
    fc.assert(
      fc.property(plainText, fc.array(fc.nat(), {maxLength: 5}), (text, places) => {
        const bytes = new TextEncoder().encode(text);
        const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort(
          (a, b) => a - b,
        );
        const chunks = ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
        expect(inkInput(...chunks).join('')).toBe(text);
      }),
    );
  });

  it('loses no text, however lines and chunks fall', () => {
    const line = fc.string({unit: fc.constantFrom('a', 'b', ' ', '字', '😀', '\r', '\t'), maxLength: 12});
    fc.assert(
      fc.property(fc.array(line, {maxLength: 6}), fc.boolean(), (chunks, isSlow) => {
        const strings = isSlow ? slowInkInput(...chunks) : inkInput(...chunks);
        expect(strings.join('').replaceAll(/\x1b\[20[01]~/g, '')).toBe(chunks.join(''));
      }),
    );
  });

  it('never throws and never emits a control character inside text', () => {
    const bytes = fc.uint8Array({maxLength: 40});
    const hostile = fc.string({
      unit: fc.constantFrom(...Array.from('\x1b[]OP_\\\x07M?;0129u~R\ré')),
      maxLength: 30,
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(bytes, hostile), {maxLength: 5}), (chunks) => {
        for (const text of inkInput(...chunks)) {
          if (text.startsWith('\x1b')) continue;
          expect(text.length === 1 || !/[\0-\x1f\x7f]/.test(text)).toBe(true);
        }
      }),
    );
  });
});
