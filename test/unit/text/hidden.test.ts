import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  escapeHidden,
  escapeHiddenFile,
  escapeHiddenLine,
  hasHidden,
  markHidden,
} from '../../../src/text/hidden.ts';
import {leastCpuTimeOf} from '../../support/cpu-time.ts';
import {sanitize, sanitizeLine} from '../../../src/text/sanitize.ts';
import {hostileText} from '../../support/text/hostile.ts';
import {readExactly} from '../../support/text/read-exactly.ts';

const anyText = fc.oneof(
  hostileText,
  hostileText.map(escapeHidden),
  fc
    .array(fc.constantFrom('⟨', 'U', '+', '200B', '⟩', '\u200b', '\u241b', '\x1b', '\u0301', ' '))
    .map((parts) => parts.join('')),
);

describe('visible text', () => {
  test('loses nothing: the original can be restored from it, so no two texts look the same', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(readExactly(escapeHidden(text))).toBe(text);
        expect(readExactly(escapeHiddenLine(text))).toBe(text);
        expect(readExactly(escapeHiddenFile(text))).toBe(text);
      }),
    );
  });

  test('contains no control character but line feeds and tabs, and no blank but the space', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(escapeHidden(text)).not.toMatch(/(?![\n\t ])[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|\u00a0|\u200b/u);
        expect(escapeHiddenLine(text)).not.toMatch(/[\n\t]/);
      }),
    );
  });

  test('is unchanged by sanitizing prose', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(sanitize(escapeHidden(text))).toBe(escapeHidden(text));
        expect(sanitizeLine(escapeHiddenLine(text))).toBe(escapeHiddenLine(text).trim());
      }),
    );
  });

  test('says whether anything is hidden', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(hasHidden(escapeHidden(text))).toBe(escapeHidden(text) !== text);
      }),
    );
  });

  test.each([
    ['a title with its payload', 'ls -la \x1b]0;touch x;#\x07', 'ls -la ␛]0;touch x;#␇'],
    ['8-bit sequences', 'a\x9d0;t\x9cb', 'a⟨U+009D⟩0;t⟨U+009C⟩b'],
    ['a color', '\x1b[31mred', '␛[31mred'],
    ['a carriage return', 'rm -rf ~\rls', 'rm -rf ~␍ls'],
    ['a zero-width space', 'a\u200bb', 'a⟨U+200B⟩b'],
    ['an override that reverses a file name', 'gpj\u202eexe', 'gpj⟨U+202E⟩exe'],
    ['a variation selector on a letter', 'a\ufe0fb\u{e0101}', 'a⟨U+FE0F⟩b⟨U+E0101⟩'],
    ['two variation selectors on an emoji', '❤\ufe0f\ufe0f', '❤\ufe0f⟨U+FE0F⟩'],
    ['a grapheme joiner', 'a\u034fb', 'a⟨U+034F⟩b'],
    ['joiners between letters', 'a\u200db\u200cc', 'a⟨U+200D⟩b⟨U+200C⟩c'],
    ['text hidden in tag characters', 'a\u{e0068}', 'a⟨U+E0068⟩'],
    ['blanks', 'a\u00a0b\u2003c\u3000d\u2800e\u3164f', 'a⟨U+00A0⟩b⟨U+2003⟩c⟨U+3000⟩d⟨U+2800⟩e⟨U+3164⟩f'],
    ['half of a surrogate pair', 'a\ud83db', 'a⟨U+D83D⟩b'],
    ['a combining mark on nothing', '\u0301a', '⟨U+0301⟩a'],
    ['an unassigned character', 'a\ue0b0', 'a⟨U+E0B0⟩'],
    ['a mark that older terminals do not know', 'a\u1ab0', 'a⟨U+1AB0⟩'],
    ['text that looks like an escape', '⟨U+200B⟩', '⟨U+27E8⟩U+200B⟩'],
    ['text that looks like a control picture', '␛[31m', '⟨U+241B⟩[31m'],
  ])('shows %s', (_, text, expected) => {
    expect(escapeHidden(text)).toBe(expected);
  });

  test.each([
    ['a family', '👨‍👩‍👧‍👦'],
    ['a skin tone and a profession', '👩🏽‍⚕️'],
    ['a colored heart and a keycap', '❤️ 1️⃣'],
    ['a flag written with tag characters', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['combining marks', 'e\u0301 क्‍ष नी'],
    ['joiners in Persian', 'می‌خواهم کتاب‌ها'],
    ['an ideographic variation', '葛\u{e0100}'],
    ['a full-width space among ideographs', '山田\u3000太郎'],
    ['tabs and line feeds', 'a\tb\n'],
    ['similar brackets', 'f⟨x⟩ ⟨U⟩'],
  ])('keeps %s', (_, text) => {
    expect(escapeHidden(text)).toBe(text);
  });

  test('shows line feeds and tabs in a single line', () => {
    expect(escapeHiddenLine('a\tb\nc\r\n')).toBe('a␉b␊c␍␊');
  });

  test('keeps the line ends of a file, and shows every other carriage return', () => {
    expect(escapeHiddenFile('a\r\nb\rc\r\r\n')).toBe('a\r\nb␍c␍\r\n');
  });

  test('can be highlighted', () => {
    expect(markHidden('a␛b⟨U+200B⟩c⟨x⟩', (escape) => `[${escape}]`)).toBe('a[␛]b[⟨U+200B⟩]c⟨x⟩');
  });

  test('takes linear time', () => {
    for (const piece of ['\u200d', 'a\u0301', '\u0301', '⟨U+', '\x1b]0;', 'م\u200c', '❤\ufe0f']) {
      const escaping = (times: number) => leastCpuTimeOf(() => escapeHidden(piece.repeat(times)));
      // In the square of the length it would be 64 times as much.
      expect(escaping(80_000)).toBeLessThan(4 * 8 * escaping(10_000));
    }
  });
});
