import xterm from '@xterm/headless';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {appendTerminalText, emptyTerminalText} from '../../../src/text/terminal-output.ts';
import {hostileText} from '../../support/text/hostile.ts';

const PLENTY = 1_000_000;

function all(chunks: readonly string[], limit = PLENTY) {
  let state = emptyTerminalText;
  for (const chunk of chunks) state = appendTerminalText(state, chunk, limit);
  return state;
}

const textOf = (...chunks: string[]): string => all(chunks).text;

/** Output of programs: progress bars, colors, tabs, wide characters, titles. */
const output = fc
  .array(
    fc.oneof(
      {weight: 3, arbitrary: fc.string({unit: fc.constantFrom('a', 'b', 'Z', '0', ' ', '.'), maxLength: 12})},
      fc.constantFrom('\r', '\n', '\r\n', '\b', '\b\b', '\t', '日本', 'é', '─'),
      fc.constantFrom('\x1b[K', '\x1b[2K', '\x1b[1K', '\x1b[3G', '\x1b[4C', '\x1b[2D', '\x1b[0J'),
      fc.constantFrom(
        '\x1b[1;31m',
        '\x1b[m',
        '\x1b]0;title\x07',
        '\x1b]8;;https://a.example\x1b\\',
        '\x1b(B',
        '\x07',
      ),
    ),
    {maxLength: 30},
  )
  .map((parts) => parts.join(''));

function chunked(text: string, sizes: readonly number[]): string[] {
  const chunks = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

const sizes = fc.array(fc.integer({min: 1, max: 7}), {minLength: 1, maxLength: 5});

describe('appendTerminalText', () => {
  test('gives the text that a terminal emulator shows', async () => {
    await fc.assert(
      fc.asyncProperty(output, async (data) => {
        const terminal = new xterm.Terminal({cols: 500, rows: 40, allowProposedApi: true, convertEol: true});
        await new Promise<void>((resolve) => {
          terminal.write(data, resolve);
        });
        const lines = textOf(data).split('\n');
        const buffer = terminal.buffer.active;
        const shown = lines.map((_, row) => buffer.getLine(row)?.translateToString(true) ?? '');
        expect(lines.map((line) => line.trimEnd())).toEqual(shown.map((line) => line.trimEnd()));
      }),
    );
  });

  test('does not depend on where the chunks end', () => {
    fc.assert(
      fc.property(fc.oneof(output, hostileText), sizes, (data, sizes) => {
        fc.pre(data.isWellFormed());
        expect(textOf(...chunked(data, sizes))).toBe(textOf(data));
      }),
    );
  });

  test('leaves no control characters but line feeds, whatever arrives', () => {
    fc.assert(
      fc.property(hostileText, sizes, (data, sizes) => {
        expect(textOf(...chunked(data, sizes))).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
      }),
    );
  });

  test.each([
    ['the last state of a progress bar', ['10%\r', '20%', '\r100%\n', 'done'], '100%\ndone'],
    ['the rest of a longer line after a shorter one', ['abcdef\rxy'], 'xycdef'],
    ['nothing of an erased line', ['downloading\r\x1b[K', 'ok'], 'ok'],
    ['what a backspace did not delete', ['abc\b\bX'], 'aXc'],
    ['a line feed for CRLF, even if split', ['a\r', '\nb'], 'a\nb'],
    ['spaces for tabs', ['a\tb'], 'a       b'],
    ['text around a split sequence', ['a\x1b', '[3', '1mb\x1b]0;ti', 'tle\x1b', '\\c'], 'abc'],
    ['both halves of a split character', ['a\ud83d', '\ude00b'], 'a😀b'],
    ['an unpaired half as a space', ['日本\rx'], 'x 本'],
    ['nothing of a combining mark at the start of a line, even if split', ['\r', '\udb40', '\udd01'], ''],
    ['what follows an unterminated operating system command', ['\x1b]0;title\nnext'], '\nnext'],
  ])('shows %s', (_, chunks, expected) => {
    expect(textOf(...chunks)).toBe(expected);
  });

  test('keeps the end of the output, in whole lines if possible', () => {
    const lines = Array.from({length: 100}, (_, index) => `line ${index}\n`);
    const {text, truncated} = all(lines, 100);
    expect(truncated).toBe(true);
    expect(text.length).toBeLessThanOrEqual(100);
    expect(text.length).toBeGreaterThan(50);
    expect(text).toMatch(/^line \d+\n/);
    expect(lines.join('').endsWith(text)).toBe(true);
    expect(all(['short'], 100)).toMatchObject({text: 'short', truncated: false});
  });

  test('never splits a character, and never exceeds its limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('😀', 'a', 'ab\n'), {maxLength: 60}),
        fc.integer({min: 2, max: 20}),
        (parts, limit) => {
          let state = emptyTerminalText;
          let written = '';
          for (const part of parts) {
            state = appendTerminalText(state, part, limit);
            expect(state.text.length).toBeLessThanOrEqual(limit);
            expect(state.text.isWellFormed()).toBe(true);
            written += part;
            expect(written.endsWith(state.text)).toBe(true);
          }
        },
      ),
    );
  });

  test('keeps a bounded amount, even of an unterminated sequence', () => {
    for (const start of ['\x1b]52;c;', '\x1bP', '\x1b[', '\x9d']) {
      const state = all([start, ...Array.from({length: 100}, () => '1234567890'.repeat(100))]);
      expect(state.carry.length).toBeLessThan(1000);
    }
  });

  test('does not make a huge line of a cursor sent far away', () => {
    expect(textOf('\x1b[2000000000Cx').length).toBeLessThan(5000);
  });
});
