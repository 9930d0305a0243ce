import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import wrapAnsi from 'wrap-ansi';
import {stripStyles} from '../../../src/text/ansi.ts';
import {joinInLines, startOfText, truncate} from '../../../src/text/truncate.ts';
import {graphemes, joinedWidth, width} from '../../../src/text/width.ts';
import {wrap, wrapWhole} from '../../../src/text/wrap.ts';
import {leastCpuTimeOf} from '../../support/cpu-time.ts';
import {columns, plainLine, styledLine} from './support/styled.ts';

const withoutSpaces = (text: string): string => text.replaceAll(' ', '');

describe('wrap', () => {
  test('gives the lines of wrap-ansi for a text without indentation', () => {
    fc.assert(
      fc.property(plainLine, columns, (text, columns) => {
        const line = text.trim();
        // If a character is wider than the columns there is no right answer, and only plain spaces are dropped at a break.
        // Nor does it count emoji that some terminals do not join.
        fc.pre(graphemes(line).every((grapheme) => width(grapheme) <= columns) && !/[^\S ]/.test(line));
        fc.pre(joinedWidth(line) === width(line));
        expect(wrap(line, columns)).toEqual(wrapAnsi(line, columns, {hard: true}).split('\n'));
      }),
    );
  });

  test('breaks a styled text like the same text without styles', () => {
    fc.assert(
      fc.property(styledLine, columns, (text, columns) => {
        expect(wrap(text, columns).map(stripStyles)).toEqual(wrap(stripStyles(text), columns));
      }),
    );
  });

  test('never makes a line wider than the columns, and loses nothing but spaces', () => {
    fc.assert(
      fc.property(fc.array(styledLine, {minLength: 1, maxLength: 3}), columns, (lines, columns) => {
        const text = lines.join('\n');
        const rows = wrap(text, columns);
        for (const row of rows) {
          expect(width(row) <= columns || graphemes(stripStyles(row)).length === 1).toBe(true);
        }
        expect(withoutSpaces(rows.map(stripStyles).join(''))).toBe(
          withoutSpaces(stripStyles(lines.join(''))),
        );
      }),
    );
  });

  test('closes at the end of each line what it opens on it', () => {
    fc.assert(
      fc.property(styledLine, columns, (text, columns) => {
        for (const row of wrap(text, columns)) expect(openAtEnd(row)).toEqual([]);
      }),
    );
  });

  test('reopens a style on the next line, also after a line feed', () => {
    expect(wrap('\x1b[1mbold text\x1b[22m end', 6)).toEqual([
      '\x1b[1mbold\x1b[22m',
      '\x1b[1mtext\x1b[22m',
      'end',
    ]);
    expect(wrap('\x1b[31ma\nb\x1b[39m', 6)).toEqual(['\x1b[31ma\x1b[39m', '\x1b[31mb\x1b[39m']);
  });

  test('reopens a link on the next line', () => {
    const open = '\x1b]8;;https://a.example\x07';
    const close = '\x1b]8;;\x07';
    expect(wrap(`${open}one two${close}`, 4)).toEqual([`${open}one${close}`, `${open}two${close}`]);
  });

  test('keeps indentation, unless the first word does not fit beside it', () => {
    expect(wrap('    one two', 8)).toEqual(['    one', 'two']);
    expect(wrap('      three', 8)).toEqual(['three']);
    expect(wrap('\tone', 16)).toEqual(['        one']);
  });

  test('keeps blank lines', () => {
    expect(wrap('a\n\nb\n', 8)).toEqual(['a', '', 'b', '']);
  });

  test('lets a wide character stand alone in a single column', () => {
    expect(wrap('日本', 1)).toEqual(['日', '本']);
    expect(wrap('ab', 0)).toEqual(['a', 'b']);
  });
});

describe('truncate', () => {
  const position = fc.constantFrom('start' as const, 'middle' as const, 'end' as const);

  test('fits the columns and keeps what already fits', () => {
    fc.assert(
      fc.property(styledLine, fc.integer({min: 0, max: 40}), position, (text, columns, position) => {
        const short = truncate(text, columns, {position});
        expect(width(short)).toBeLessThanOrEqual(columns);
        expect(short === text).toBe(width(text) <= columns);
        expect(openAtEnd(short)).toEqual([]);
      }),
    );
  });

  test('cuts at the requested side', () => {
    expect(truncate('abcdefgh', 5)).toBe('abcd…');
    expect(truncate('abcdefgh', 5, {position: 'start'})).toBe('…efgh');
    expect(truncate('abcdefgh', 5, {position: 'middle'})).toBe('ab…gh');
    expect(truncate('abcdefgh', 0)).toBe('');
    expect(truncate('日本語', 4)).toBe('日…');
  });

  test('shows no part twice of a line with many characters and few columns', () => {
    const flood = `a${'\u0301'.repeat(20_000)}`;
    for (const position of ['middle', 'end'] as const)
      expect(truncate(flood, 10, {position}).match(/a/g)).toHaveLength(1);
  });

  test('joins several lines into one, without tabs', () => {
    expect(truncate('one\n\n  two\tthree', 40)).toBe('one ␤ two three');
    expect(truncate('one\ntwo', 5)).toBe('one …');
  });

  test('never splits a character', () => {
    fc.assert(
      fc.property(plainLine, fc.integer({min: 1, max: 20}), (text, columns) => {
        const whole = new Set(graphemes(text));
        for (const grapheme of graphemes(truncate(text, columns))) {
          expect(grapheme === '…' || whole.has(grapheme)).toBe(true);
        }
      }),
    );
  });
});

/** The styles that a line leaves open; knows only the pairs that the generator writes. */
function openAtEnd(line: string): string[] {
  const open = new Set<string>();
  for (const [sequence] of line.matchAll(/\x1b\[[\d;]*m|\x1b\]8;;[^\x07]*\x07/g)) {
    if (sequence === '\x1b[0m') open.clear();
    else if (/^\x1b\[(22|39|49)m$/.test(sequence)) open.delete(sequence);
    else if (sequence === '\x1b]8;;\x07') open.delete('link');
    else if (sequence.startsWith('\x1b]')) open.add('link');
    else
      open.add(
        sequence === '\x1b[1m' ? '\x1b[22m' : sequence.startsWith('\x1b[48') ? '\x1b[49m' : '\x1b[39m',
      );
  }
  return [...open];
}

describe('a line that is wrapped in full', () => {
  const pieces = ['a', 'bc', ' ', '  ', '漢', 'é', '⟨U+200B⟩', '\x1b[31m', '\x1b[39m'];
  const simple = fc.array(fc.constantFrom(...pieces), {maxLength: 40}).map((parts) => parts.join(''));

  test('loses nothing, and is as wide as possible', () => {
    fc.assert(
      fc.property(simple, fc.integer({min: 1, max: 12}), (line, columns) => {
        const rows = wrapWhole(line, columns);
        expect(stripStyles(rows.join(''))).toBe(stripStyles(line));
        expect(rows.filter((row) => width(row) > Math.max(2, columns))).toEqual([]);
      }),
    );
  });

  test('ends no full row with a space, where it would be invisible', () => {
    expect(wrapWhole('漢字\u3000漢字', 6)).toEqual(['漢字', '\u3000漢字']);
  });

  test('breaks at the same places whatever it is made of', () => {
    const rowsWith = (line: string, end: string, columns: number) =>
      stripStyles(wrapWhole(`${line} ${end}`, columns).join('\n')).replace(end, '.');
    fc.assert(
      fc.property(simple, fc.integer({min: 2, max: 12}), (line, columns) => {
        // A combining mark takes another path through the code, and no column.
        expect(rowsWith(line, 'e\u0301', columns)).toBe(rowsWith(line, 'E', columns));
      }),
    );
  });

  test('of 1 MB takes time in proportion to its length, with colors, too', () => {
    const wrapping = (times: number) => {
      const line = 'the quick brown fox jumps over the lazy dog, '.repeat(times);
      return leastCpuTimeOf(() => wrapWhole(`\x1b[31m${line}\x1b[39m`, 100).length);
    };
    // More than twice as much for each character would not be linear.
    expect(wrapping(24_000)).toBeLessThan(2 * 8 * wrapping(24_000 / 8));
  });

  test('of 1 MB without a space is drawn at any width', () => {
    expect(wrapWhole('x'.repeat(1_000_000), 20)).toHaveLength(50_000);
  });
});

test('the start of a text ends before a character that would be split', () => {
  expect(startOfText('a😀b', 0)).toBe('');
  expect(startOfText('a😀b', -1)).toBe('');
  expect(startOfText('a😀b', 2)).toBe('a');
  expect(startOfText('a😀b', 3)).toBe('a😀');
  expect(startOfText('a😀', 9)).toBe('a😀');
  // A lone half of a pair is not judged here.
  expect(startOfText('a\ud83d', 2)).toBe('a\ud83d');
});

test.each([
  [60, ['Scroll to the end (End) · 4 lines left · n reject']],
  [40, ['Scroll to the end (End) · 4 lines left', 'n reject']],
  [24, ['Scroll to the end (End)', '4 lines left · n reject']],
  [12, ['Scroll to', 'the end', '(End)', '4 lines left', 'n reject']],
])('the parts of a hint take as many lines of %i columns as they need', (columns, lines) => {
  expect(joinInLines(['Scroll to the end (End)', '4 lines left', 'n reject'], columns)).toEqual(lines);
});
