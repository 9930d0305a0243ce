import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createInputFilter} from '../../../../src/app/input/input-filter.ts';
import {cut, given, givenSlowly, joinText, paste} from './given.ts';

describe('line ends', () => {
  it('takes a run of Enter, or of Tab, for a key that is held down', () => {
    expect(given('\r\r\r')).toEqual(['\r', '\r', '\r']);
    expect(given('\t\t')).toEqual(['\t', '\t']);
    expect(given('\t\tx')).toEqual([paste('\t\tx')]);
    expect(given('\n\n')).toEqual([paste('\n\n')]);
  });

  it('submits when the only one is the last byte', () => {
    expect(given('hello\r')).toEqual(['hello', '\r']);
    expect(given('hello\r\n')).toEqual(['hello', '\r']);
  });

  it('gives out the text at once and holds Enter only for a moment', () => {
    const filter = createInputFilter();
    expect(filter.push('hello\r')).toEqual(['hello']);
    expect(filter.flushDelay()).toBeLessThan(20);
    expect(filter.flush()).toEqual(['\r']);
    expect(filter.flushDelay()).toBeUndefined();
  });

  it('never waits for a key that comes alone', () => {
    for (const key of ['\r', '\n', '\t', 'a', '\x03', '\x7f', '\x1b[A']) {
      const filter = createInputFilter();
      expect(filter.push(key)).toEqual([key]);
      expect(filter.flushDelay()).toBeUndefined();
    }
  });

  it('makes a paste of a line end with more behind it', () => {
    expect(given('one\rtwo\r')).toEqual([paste('one\rtwo\r')]);
    expect(given('one\ntwo')).toEqual([paste('one\ntwo')]);
  });

  it('makes one paste of a burst that was cut', () => {
    expect(given('one\rtw', 'o\rthree', '\r\rfour\r')).toEqual([paste('one\rtwo\rthree\r\rfour\r')]);
  });

  it('does not submit the lines of a paste that comes line by line', () => {
    expect(given('one\r', 'two\r')).toEqual(['one', paste('\rtwo\r')]);
  });

  it('submits with an Enter that comes alone behind a short burst', () => {
    expect(given('one\rtwo', '\r')).toEqual([paste('one\rtwo'), '\r']);
  });

  it('keeps a line end that a read buffer cut off from a long burst', () => {
    const long = `one\r${'x'.repeat(4000)}`;
    expect(given(long, '\r')).toEqual([paste(`${long}\r`)]);
    expect(givenSlowly(long, '\r')).toEqual([paste(long), '\r']);
  });

  it('lets a key behind Enter stay a key', () => {
    expect(given('hello\r\x03')).toEqual(['hello', '\r', '\x03']);
    expect(given('\x1b[A\r')).toEqual(['\x1b[A', '\r']);
  });

  it('takes a tab with more behind it for pasted text, and a last one for the key', () => {
    expect(given('a\tb')).toEqual([paste('a\tb')]);
    expect(given('/he\t')).toEqual(['/he', '\t']);
  });
});

describe('escape sequences', () => {
  it('puts cut ones together', () => {
    expect(given('\x1b', '[', '1;5', 'D')).toEqual(['\x1b[1;5D']);
    expect(given('\x1b', '\r')).toEqual(['\x1b\r']);
    expect(given('\x1b', 'O', 'A')).toEqual(['\x1bOA']);
  });

  it('spells out Escape after a moment, so that Ink need not wait as well', () => {
    expect(given('\x1b')).toEqual(['\x1b[27u']);
    expect(given('\x1b\x1b')).toEqual(['\x1b[27u', '\x1b[27u']);
    expect(givenSlowly('\x1b', 'b')).toEqual(['\x1b[27u', 'b']);
  });

  it('understands Alt with the characters that begin sequences', () => {
    expect(given('\x1b[')).toEqual(['\x1b[91;3u']);
    expect(given('\x1bO')).toEqual(['\x1b[79;3u']);
    expect(given('\x1b]')).toEqual(['\x1b]']);
    expect(given('\x1b_')).toEqual(['\x1b_']);
    expect(given('\x1bé\x1b😀')).toEqual(['\x1bé', '\x1b😀']);
  });

  it('says keys of modifyOtherKeys in the way that Ink reads', () => {
    expect(given('\x1b[27;2;13~')).toEqual(['\x1b[13;2u']);
    expect(given('\x1b[27;5;106~')).toEqual(['\x1b[106;5u']);
  });

  it('takes the Latin key of a combination on another alphabet’s layout', () => {
    expect(given('\x1b[1089::99;5u')).toEqual(['\x1b[99;5u']);
    expect(given('\x1b[1089::99;1u')).toEqual(['\x1b[1089;1u']);
  });

  it('takes the sign that Shift makes of a key, on any layout', () => {
    // Ctrl+_ and Alt+< on two layouts.
    expect(given('\x1b[45:95;6u')).toEqual(['\x1b[95;5u']);
    expect(given('\x1b[44:60;4u')).toEqual(['\x1b[60;3u']);
    expect(given('\x1b[47:95:45;6u')).toEqual(['\x1b[95;5u']);
    expect(given('\x1b[97:65;6u')).toEqual(['\x1b[97;6u']);
  });

  it.each([
    ['focus', '\x1b[I\x1b[O'],
    ['a mouse', '\x1b[<0;12;7M\x1b[<0;12;7m\x1b[M !!\x1b[35;10;20M'],
    ['the cursor position', '\x1b[12;40R'],
    ['device attributes', '\x1b[?62;4;6;22c\x1b[>1;10;0c\x1b[?2026;2$y'],
    ['the background color', '\x1b]11;rgb:1e1e/1e1e/1e1e\x07\x1b]10;rgb:ff/ff/ff\x1b\\'],
    ['the name of the terminal', '\x1bP>|tmux 3.4\x1b\\'],
    ['pictures', '\x1b_Gi=1;OK\x1b\\'],
    ['the keyboard', '\x1b[?1u'],
  ])('keeps reports of %s from Ink, wherever they are cut', (_, reports) => {
    fc.assert(
      fc.property(fc.array(fc.nat(), {maxLength: 4}), (places) => {
        expect(joinText(given(...cut(`ab${reports}cd`, places)))).toEqual(['abcd']);
      }),
    );
  });

  it('tells its caller what terminals report', () => {
    const reports: string[] = [];
    createInputFilter({onReport: (report) => reports.push(report)}).push('a\x1b]11;rgb:0/0/0\x07\x1b[I');
    expect(reports).toEqual(['\x1b]11;rgb:0/0/0\x07', '\x1b[I']);
  });

  it('keeps the text behind a sequence that never ends', () => {
    expect(givenSlowly('\x1b[12;', 'typed')).toEqual(['typed']);
  });
});

describe('bracketed paste', () => {
  it('is one string, with whatever stands around it', () => {
    expect(given(`a${paste('one\r\x1b[31mtwo\x03')}b\x7f`)).toEqual([
      'a',
      paste('one\r\x1b[31mtwo\x03'),
      'b',
      '\x7f',
    ]);
    expect(given(paste(''))).toEqual([paste('')]);
    expect(given(paste('one') + paste('two'))).toEqual([paste('one'), paste('two')]);
  });

  it('is given out as it is once it goes quiet without its end', () => {
    const filter = createInputFilter();
    expect(filter.push('\x1b[200~one\rtwo\x1b[20')).toEqual([]);
    expect(filter.flushDelay()).toBe(1000);
    expect(filter.flush()).toEqual([paste('one\rtwo\x1b[20')]);
    expect(filter.push('x')).toEqual(['x']);
  });

  it('gives way to Ctrl+C', () => {
    expect(given('\x1b[200~one', '\x03')).toEqual([paste('one'), '\x03']);
  });

  it('stays whole at 1 MB in pieces', () => {
    const text = `${'x'.repeat(99)}\r`.repeat(10_000);
    const pieces = paste(text).match(/[^]{1,4096}/g) ?? [];
    expect(given(...pieces)).toEqual([paste(text)]);
  });
});
