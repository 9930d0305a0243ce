import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createInputFilter} from '../../../../src/app/input/input-filter.ts';
import {splitAt, inkInput, slowInkInput, joinText, paste} from './ink-input.ts';

describe('line ends', () => {
  it('treats a run of Enter, or of Tab, as a key that is held down', () => {
    expect(inkInput('\r\r\r')).toEqual(['\r', '\r', '\r']);
    expect(inkInput('\t\t')).toEqual(['\t', '\t']);
    expect(inkInput('\t\tx')).toEqual([paste('\t\tx')]);
    expect(inkInput('\n\n')).toEqual([paste('\n\n')]);
  });

  it('submits when the only one is the last byte', () => {
    expect(inkInput('hello\r')).toEqual(['hello', '\r']);
    expect(inkInput('hello\r\n')).toEqual(['hello', '\r']);
  });

  it('emits the text at once and delays Enter only for a moment', () => {
    const filter = createInputFilter();
    expect(filter.push('hello\r')).toEqual(['hello']);
    expect(filter.flushDelay()).toBeLessThan(20);
    expect(filter.flush()).toEqual(['\r']);
    expect(filter.flushDelay()).toBeUndefined();
  });

  it('never delays a key that arrives alone', () => {
    for (const key of ['\r', '\n', '\t', 'a', '\x03', '\x7f', '\x1b[A']) {
      const filter = createInputFilter();
      expect(filter.push(key)).toEqual([key]);
      expect(filter.flushDelay()).toBeUndefined();
    }
  });

  it('treats a line end followed by more as a paste', () => {
    expect(inkInput('one\rtwo\r')).toEqual([paste('one\rtwo\r')]);
    expect(inkInput('one\ntwo')).toEqual([paste('one\ntwo')]);
  });

  it('joins a split burst into one paste', () => {
    expect(inkInput('one\rtw', 'o\rthree', '\r\rfour\r')).toEqual([paste('one\rtwo\rthree\r\rfour\r')]);
  });

  it('does not submit the lines of a paste that arrives line by line', () => {
    expect(inkInput('one\r', 'two\r')).toEqual(['one', paste('\rtwo\r')]);
  });

  it('submits with an Enter that arrives alone after a short burst', () => {
    expect(inkInput('one\rtwo', '\r')).toEqual([paste('one\rtwo'), '\r']);
  });

  it('keeps a line end that a read buffer split off a long burst', () => {
    const long = `one\r${'x'.repeat(4000)}`;
    expect(inkInput(long, '\r')).toEqual([paste(`${long}\r`)]);
    expect(slowInkInput(long, '\r')).toEqual([paste(long), '\r']);
  });

  it('keeps a key after Enter a key', () => {
    expect(inkInput('hello\r\x03')).toEqual(['hello', '\r', '\x03']);
    expect(inkInput('\x1b[A\r')).toEqual(['\x1b[A', '\r']);
  });

  it('treats a tab followed by more as pasted text, and a last one as the key', () => {
    expect(inkInput('a\tb')).toEqual([paste('a\tb')]);
    expect(inkInput('/he\t')).toEqual(['/he', '\t']);
  });
});

describe('escape sequences', () => {
  it('joins split ones', () => {
    expect(inkInput('\x1b', '[', '1;5', 'D')).toEqual(['\x1b[1;5D']);
    expect(inkInput('\x1b', '\r')).toEqual(['\x1b\r']);
    expect(inkInput('\x1b', 'O', 'A')).toEqual(['\x1bOA']);
  });

  it('emits Escape after a moment, so that Ink need not wait as well', () => {
    expect(inkInput('\x1b')).toEqual(['\x1b[27u']);
    expect(inkInput('\x1b\x1b')).toEqual(['\x1b[27u', '\x1b[27u']);
    expect(slowInkInput('\x1b', 'b')).toEqual(['\x1b[27u', 'b']);
  });

  it('leaves Ctrl+C a key of its own after an Escape that arrives together with it', () => {
    expect(inkInput('\x1b\x03')).toEqual(['\x1b[27u', '\x03']);
    expect(inkInput('\x1b', '\x03')).toEqual(['\x1b[27u', '\x03']);
  });

  it('parses Alt with the characters that start sequences', () => {
    expect(inkInput('\x1b[')).toEqual(['\x1b[91;3u']);
    expect(inkInput('\x1bO')).toEqual(['\x1b[79;3u']);
    expect(inkInput('\x1b]')).toEqual(['\x1b]']);
    expect(inkInput('\x1b_')).toEqual(['\x1b_']);
    expect(inkInput('\x1bé\x1b😀')).toEqual(['\x1bé', '\x1b😀']);
  });

  it('translates modifyOtherKeys for Ink', () => {
    expect(inkInput('\x1b[27;2;13~')).toEqual(['\x1b[13;2u']);
    expect(inkInput('\x1b[27;5;106~')).toEqual(['\x1b[106;5u']);
  });

  it('uses the Latin key of a combination on another alphabet’s layout', () => {
    expect(inkInput('\x1b[1089::99;5u')).toEqual(['\x1b[99;5u']);
    expect(inkInput('\x1b[1089::99;1u')).toEqual(['\x1b[1089;1u']);
  });

  it('uses the character that Shift produces, on any layout', () => {
    // Ctrl+_ and Alt+< on two layouts.
    expect(inkInput('\x1b[45:95;6u')).toEqual(['\x1b[95;5u']);
    expect(inkInput('\x1b[44:60;4u')).toEqual(['\x1b[60;3u']);
    expect(inkInput('\x1b[47:95:45;6u')).toEqual(['\x1b[95;5u']);
    expect(inkInput('\x1b[97:65;6u')).toEqual(['\x1b[97;6u']);
  });

  it.each([
    ['focus', '\x1b[I\x1b[O'],
    ['a mouse', '\x1b[<0;12;7M\x1b[<0;12;7m\x1b[M !!\x1b[35;10;20M'],
    ['the cursor position', '\x1b[12;40R'],
    ['device attributes', '\x1b[?62;4;6;22c\x1b[>1;10;0c\x1b[?2026;2$y'],
    ['the background color', '\x1b]11;rgb:1e1e/1e1e/1e1e\x07\x1b]10;rgb:ff/ff/ff\x1b\\'],
    ['the terminal name', '\x1bP>|tmux 3.4\x1b\\'],
    ['pictures', '\x1b_Gi=1;OK\x1b\\'],
    ['the keyboard', '\x1b[?1u'],
  ])('hides reports of %s from Ink, however they are split', (_, reports) => {
    fc.assert(
      fc.property(fc.array(fc.nat(), {maxLength: 4}), (places) => {
        expect(joinText(inkInput(...splitAt(`ab${reports}cd`, places)))).toEqual(['abcd']);
      }),
    );
  });

  it('passes reports of the terminal to its caller', () => {
    const reports: string[] = [];
    createInputFilter({onReport: (report) => reports.push(report)}).push('a\x1b]11;rgb:0/0/0\x07\x1b[I');
    expect(reports).toEqual(['\x1b]11;rgb:0/0/0\x07', '\x1b[I']);
  });

  it('keeps the text after an unterminated sequence', () => {
    expect(slowInkInput('\x1b[12;', 'typed')).toEqual(['typed']);
  });
});

describe('bracketed paste', () => {
  it('is one string, whatever surrounds it', () => {
    expect(inkInput(`a${paste('one\r\x1b[31mtwo\x03')}b\x7f`)).toEqual([
      'a',
      paste('one\r\x1b[31mtwo\x03'),
      'b',
      '\x7f',
    ]);
    expect(inkInput(paste(''))).toEqual([paste('')]);
    expect(inkInput(paste('one') + paste('two'))).toEqual([paste('one'), paste('two')]);
  });

  it('is interrupted by Ctrl+C', () => {
    expect(inkInput('\x1b[200~one', '\x03')).toEqual([paste('one'), '\x03']);
  });

  it('stays whole at 1 MB in chunks', () => {
    const text = `${'x'.repeat(99)}\r`.repeat(10_000);
    const pieces = paste(text).match(/[^]{1,4096}/g) ?? [];
    expect(inkInput(...pieces)).toEqual([paste(text)]);
  });
});
