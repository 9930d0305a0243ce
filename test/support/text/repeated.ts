import * as fc from 'fast-check';
import {snippet} from './hostile.ts';

/** A text of any length: a start, a unit that is repeated, and an end. */
export interface RepeatedText {
  readonly start: string;
  readonly unit: string;
  readonly end: string;
}

export function textOfLength({start, unit, end}: RepeatedText, length: number): string {
  return start + unit.repeat(Math.ceil(length / unit.length)) + end;
}

const repeated = (unit: string, {start = '', end = ''} = {}): RepeatedText => ({start, unit, end});

/** Texts that take quadratic time or longer in some parser, or that a regular expression backtracks over. */
export const KNOWN: readonly RepeatedText[] = [
  // highlight.js and marked
  repeated(' [x](`', {start: '```markdown\n', end: '\n```\n'}),
  repeated('a.', {end: '@'}),
  repeated('<a '),
  repeated('b="c" ', {start: '<a ', end: '`'}),
  ...['>', '> ', '*', '* ', '[', '![', '](', '`', '~', '_', '#', '|', '- ', '1. ', '\\[', '&', '<!--'].map(
    (unit) => repeated(unit, {end: 'x'}),
  ),
  repeated('\\[', {start: '[a]: http://b\n\n'}),
  repeated('|-', {start: '|a|\n'}),
  repeated('| x | y |\n', {start: '| a | b |\n|---|---|\n'}),
  repeated('```\n'),
  repeated('x`', {start: '````````````````'}),
  repeated('<div>\n'),
  repeated('[a]: http://b\n'),
  // runs before something else
  ...[' ', '\n', '\r', '\t', '\0', '\b', '.', '/', '-', '"', '\\', '␍', '\u2028', '\ud800'].map((unit) =>
    repeated(unit, {start: 'a\n', end: 'x\ty'}),
  ),
  repeated('.', {start: 'http://a', end: 'x'}),
  repeated('http://a('),
  repeated('../'),
  repeated('A=b '),
  // terminals
  ...['\x1b[', '\x9b', '\x1b]', '\x1b]0;', '\x1bP', '1;', 'x\r', 'xy\b'].map((unit) =>
    repeated(unit, {start: '\x1b[', end: 'm\n'}),
  ),
  repeated('\x1b[4096Gx\n'),
  repeated('50%\r100%\n'),
  repeated('\x1b[31ma\x1b[0m'),
  repeated('\x1b[1m\x1b[4m\x1b[38;2;1;2;3ma\n'),
  // characters that join
  ...[
    '\u0301',
    'e\u0301',
    'a\ufe0f',
    '\u200d',
    '漢',
    '👩‍👩‍👧‍👦',
    '🇩🇪',
    '\u1100',
    'ب\u200c',
    'क्\u200d',
    '\udb40\udc67',
  ].map((unit) => repeated(unit, {start: '🏴'})),
  // lists and patches
  repeated('[', {end: ']'}),
  repeated('{"a":'),
  repeated('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'),
];

const part = fc
  .array(
    fc.oneof(
      snippet,
      fc.constantFrom(...KNOWN.map(({unit}) => unit)),
      fc.string({unit: 'grapheme', maxLength: 3}),
    ),
    {minLength: 1, maxLength: 3},
  )
  .map((parts) => parts.join(''));

/** Known texts, and random ones like them. */
export const repeatedText: fc.Arbitrary<RepeatedText> = fc.oneof(
  fc.constantFrom(...KNOWN),
  fc.record({start: fc.oneof(fc.constant(''), part), unit: part.filter((unit) => unit !== ''), end: part}),
);
