import * as fc from 'fast-check';
import {sanitize} from '../../../../src/text/sanitize.ts';

/** Words as agents write them: of many scripts, with emoji and combining marks, some longer than a line. */
const word = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'x', '/', '.', '_', '-'),
      minLength: 1,
      maxLength: 12,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '日本語のテキスト',
      '한국어',
      'Größe',
      'e\u0301a\u0300',
      '👨‍👩‍👧‍👦',
      '❤️',
      '🇩🇪🇫🇷',
      'क्षत्रिय',
      'ﾊﾞﾊﾟ',
      '1️⃣',
      '│──┤',
      'ไทย',
      '😀😀😀',
    ),
  },
  {weight: 1, arbitrary: fc.string({unit: 'grapheme-composite', minLength: 1, maxLength: 6})},
);

const separator = fc.constantFrom(' ', ' ', ' ', '  ', '   ', '');

export const plainLine = fc
  .array(fc.tuple(word, separator), {maxLength: 16})
  .map((parts) => onOneLine(parts.flat().join('')));

export const columns = fc.integer({min: 2, max: 24});

const STYLES = [
  ['\x1b[1m', '\x1b[22m'],
  ['\x1b[31m', '\x1b[39m'],
  ['\x1b[38;2;1;2;3m', '\x1b[39m'],
  ['\x1b[48;5;9m', '\x1b[49m'],
  ['\x1b]8;;https://a.example/x\x07', '\x1b]8;;\x07'],
] as const;

/** Lines with styles over some of their words, as chalk writes them. */
export const styledLine = fc
  .array(fc.tuple(word, fc.option(fc.constantFrom(...STYLES)), separator), {minLength: 1, maxLength: 12})
  .map((parts) =>
    parts.map(([text, style, after]) => (style ? style[0] + text + style[1] : text) + after).join(''),
  )
  .map(onOneLine);

/** Sanitized, composed as wrap-ansi composes it, and without what breaks lines. */
function onOneLine(text: string): string {
  return text
    .split(/(\x1b\[[\d;]*m|\x1b\]8;;[^\x07]*\x07)/)
    .map((part, index) =>
      index % 2
        ? part
        : sanitize(part)
            .replaceAll(/[\n\t]/g, '')
            .normalize(),
    )
    .join('');
}
