import * as fc from 'fast-check';

/** Fragments used to attack terminals and readers; complete, truncated, and in both the ESC and the C1 form. */
const SNIPPETS = [
  '\x1b[31m',
  '\x1b[2J',
  '\x1b[H',
  '\x1b[6n',
  '\x1b[?1049h',
  '\x1b[?25l',
  '\x1b[',
  '\x1b[1;',
  '\x1b[ q',
  '\x9b31m',
  '\x9b2J',
  '\x9b',
  '\x1b]0;title\x07',
  '\x1b]2;title\x1b\\',
  '\x1b]52;c;aGVsbG8=\x07',
  '\x1b]8;;https://evil.example\x07',
  '\x1b]8;;\x07',
  '\x9d0;title\x9c',
  '\x1b]0;never ended',
  '\x1b]',
  '\x1bPq#0;2;0;0;0\n#0!8~-\x1b\\',
  '\x90tmux\x9c',
  '\x1b_Ga=T;AAAA\x1b\\',
  '\x1b^private\x1b\\',
  '\x1bXstring\x1b\\',
  '\x1b\\',
  '\x1bc',
  '\x1b7',
  '\x1b(B',
  '\x1b#8',
  '\x1b',
  '\x1b\x1b[31m',
  '\x18',
  '\x1a',
  '\x07',
  '\x08',
  '\x7f',
  '\x00',
  '\x0b',
  '\x0c',
  '\x0e',
  '\r',
  '\r\n',
  '\r\r\n',
  '\n',
  '\t',
  '\x84',
  '\x85',
  '\u2028',
  '\u202e',
  '\u2066',
  '\u200e',
  '\u061c',
  '\u200b',
  '\ufeff',
  '\ufe0f',
  '\u{e0101}',
  '\u034f',
  '\u00a0',
  '\u2800',
  '\u3164',
  '\u200d',
  '⟨U+200B⟩',
  '␛',
  '\u{e0041}',
  '\ud800',
  '\udc00',
  'm',
  '[31m',
  ';2J',
  '\\',
];

export const snippet = fc.constantFrom(...SNIPPETS);

/** Strings of any Unicode, well-formed or not, with hostile fragments among them. */
export const hostileText = fc
  .array(
    fc.oneof(
      {weight: 3, arbitrary: snippet},
      {weight: 2, arbitrary: fc.string({unit: 'grapheme', maxLength: 8})},
      {weight: 1, arbitrary: fc.string({unit: 'binary', maxLength: 8})},
      {weight: 1, arbitrary: fc.string({unit: codeUnit(), maxLength: 8})},
    ),
    {maxLength: 12},
  )
  .map((parts) => parts.join(''));

/** The same with only printable ASCII between the fragments, so that a terminal's output can be compared exactly. */
export const hostileAscii = fc
  .array(fc.oneof(snippet, fc.string({unit: 'grapheme-ascii', maxLength: 8})), {maxLength: 12})
  .map((parts) => parts.join(''));

function codeUnit() {
  return fc.integer({min: 0, max: 0xffff}).map((unit) => String.fromCharCode(unit));
}
