import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createPlainOutput} from '../../../src/text/plain-output.ts';

function plain(...pieces: readonly string[]): string {
  const output = createPlainOutput();
  return pieces.map((piece) => output.push(piece)).join('') + output.line();
}

const printed = fc.array(
  fc.constantFrom(
    'a',
    'é',
    '漢',
    '😀',
    '\t',
    ' ',
    '\r',
    '\n',
    '\r\n',
    '\b',
    '\x1b[K',
    '\x1b[31m',
    '\x1b[2D',
    '\x1b]0;t\x07',
  ),
  {maxLength: 30},
);

describe('plain output', () => {
  test('is the text if nothing needs to be interpreted', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'é', '漢', '😀', '\t', ' ', '\n', '\f', '"'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, (whole) => {
        expect(plain(whole)).toBe(whole);
      }),
    );
  });

  test('does not depend on how it was split', () => {
    fc.assert(
      fc.property(printed, fc.array(fc.nat()), (parts, cuts) => {
        const whole = parts.join('');
        const places = [
          0,
          ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b),
          whole.length,
        ];
        const pieces = places.slice(1).map((end, index) => whole.slice(places[index], end));
        expect(plain(...pieces)).toBe(plain(whole));
      }),
    );
  });

  test.each([
    ['ends lines with LF, whatever the terminal made of them', 'a\r\nb\r\r\nc\r\n', 'a\nb\nc\n'],
    ['has no colors and titles', '\x1b[1;31merror\x1b[0m: x\x1b]0;title\x07\n', 'error: x\n'],
    ['shows the last state of a progress bar', ' 10%\r 50%\r100%\ndone\n', '100%\ndone\n'],
    ['shows the rest of a longer text after a shorter one', 'longer\rab\n', 'abnger\n'],
    ['shows nothing of an erased line', 'downloading…\r\x1b[Kdone\n', 'done\n'],
    ['keeps tabs, also after an erased line', 'a\tb\n...\r\x1b[2Kc\td\n', 'a\tb\nc\td\n'],
    ['removes what a backspace overwrites', 'helo\blo\n', 'hello\n'],
    ['rings no bell', 'a\x07b\n', 'ab\n'],
  ])('%s', (_name, printed, expected) => {
    expect(plain(printed)).toBe(expected);
  });

  test('does not keep very long lines in memory', () => {
    const output = createPlainOutput();
    const settled = output.push('x'.repeat(100_000));
    expect(settled + output.line()).toBe('x'.repeat(100_000));
    expect(output.line().length).toBeLessThan(70_000);
  });
});
