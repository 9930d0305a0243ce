import xterm from '@xterm/headless';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {sanitize, sanitizeLine} from '../../../src/text/sanitize.ts';
import {hostileAscii, hostileText} from '../../support/text/hostile.ts';

/** Written independently of the implementation: every code point that must never reach a terminal. */
function isForbidden(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x0a || code === 0x09) return false;
  return (
    code < 0x20 ||
    (code >= 0x7f && code <= 0x9f) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069) ||
    [0x200b, 0x200e, 0x200f, 0x061c, 0x2028, 0x2029, 0xfeff].includes(code)
  );
}

/** What a real terminal emulator shows for a text. */
async function inTerminal(text: string) {
  const terminal = new xterm.Terminal({cols: 200, rows: 30, allowProposedApi: true, convertEol: true});
  const events: string[] = [];
  terminal.onTitleChange((title) => events.push(`title ${title}`));
  terminal.onBell(() => events.push('bell'));
  terminal.onData((data) => events.push(`answer ${data}`));
  terminal.onBinary((data) => events.push(`answer ${data}`));
  for (const code of [0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 52, 104, 777, 1337]) {
    terminal.parser.registerOscHandler(code, () => events.push(`osc ${code}`) > 0);
  }
  const before = JSON.stringify(terminal.modes);
  await new Promise<void>((resolve) => {
    terminal.write(text, resolve);
  });
  const buffer = terminal.buffer.active;
  const rows = Array.from({length: buffer.length}, (_, row) => buffer.getLine(row));
  const cells = rows.flatMap((row) => Array.from({length: 200}, (_, column) => row?.getCell(column)));
  return {
    events,
    modesChanged: JSON.stringify(terminal.modes) !== before,
    alternate: buffer.type === 'alternate',
    styled: cells.some((cell) => cell && !cell.isAttributeDefault()),
    row: buffer.baseY + buffer.cursorY,
    lines: rows.map((row) => row?.translateToString(true) ?? ''),
  };
}

const untouched = {events: [], modesChanged: false, alternate: false, styled: false};

describe('sanitize', () => {
  test('leaves no character that could control a terminal', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(Array.from(sanitize(text)).filter(isForbidden)).toEqual([]);
      }),
    );
  });

  test('is idempotent', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const once = sanitize(text);
        expect(sanitize(once)).toBe(once);
      }),
    );
  });

  test('returns printable text of any script unchanged', () => {
    fc.assert(
      fc.property(fc.string({unit: 'grapheme'}), (text) => {
        fc.pre(!/\p{Default_Ignorable_Code_Point}|\p{Control}|\u2028|\u2029/u.test(text));
        expect(sanitize(text)).toBe(text);
      }),
    );
  });

  test('gives a terminal emulator nothing but text', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        const clean = sanitize(text);
        const seen = await inTerminal(clean);
        expect(seen).toMatchObject(untouched);
        expect(seen.row).toBe(clean.split('\n').length - 1);
      }),
      {numRuns: 60},
    );
  });

  test('looks in a terminal emulator exactly like its result', async () => {
    await fc.assert(
      fc.asyncProperty(hostileAscii, async (text) => {
        const clean = sanitize(text).replaceAll('\t', ' ');
        const {lines} = await inTerminal(clean);
        // A combining mark without a letter before it has no cell.
        const shown = (line: string) => line.replaceAll('\u034f', '').trimEnd();
        const expected = clean.split('\n').map(shown);
        expect(lines.slice(0, expected.length).map(shown)).toEqual(expected);
      }),
      {numRuns: 60},
    );
  });

  test('is needed: the emulator of these tests detects unsanitized text', async () => {
    const seen = await inTerminal('\x1b]0;title\x07\x1b[31mred\x1b[?25l\x1b[6n\x1b]52;c;aGk=\x07');
    expect(seen.events).toEqual(['osc 0', 'answer \x1b[1;4R', 'osc 52']);
    expect(seen.styled).toBe(true);
  });

  test.each([['colors', 'a\x1b[1;31mb\x1b[0mc\x9b31md', 'abcd']])('removes %s', (_, text, expected) => {
    expect(sanitize(text)).toBe(expected);
  });

  test.each([
    ['cursor movement', 'a\x1b[2Jb', 'a␛b'],
    ['8-bit sequences', 'a\x9b2Jb\x9d0;t\x9cc', 'a␛b␛c'],
    ['links', '\x1b]8;;https://a.example\x07here\x1b]8;;\x07', '␛here␛'],
    ['a clipboard write', 'x\x1b]52;c;aGk=\x1b\\y', 'x␛y'],
    ['images, with line breaks inside', 'x\x1bPq#0\n#1~\x1b\\y', 'x␛y'],
    ['character sets and resets', 'x\x1b(By\x1bcz', 'x␛y␛z'],
  ])('shows one mark for %s', (_, text, expected) => {
    expect(sanitize(text)).toBe(expected);
  });

  test.each([
    ['an unterminated sequence', 'a\x1b]0;title', 'a␛]0;title'],
    ['a bell and a backspace', 'a\x07\bb', 'a␇␈b'],
    ['DEL and C1', '\x7f\x84', '␡␦'],
    ['an override that reverses a file name', 'gpj\u202eexe', 'gpj\ufffdexe'],
    ['zero-width spaces', 'pay\u200bpal\ufeff', 'pay\ufffdpal\ufffd'],
    ['text hidden in tag characters', 'a\u{e0068}\u{e0069}', 'a\ufffd\ufffd'],
    ['an unassigned character', 'a\ufe6cb', 'a\ufffdb'],
    ['a mark that older terminals do not know', 'a\u1ab0b', 'a\ufffdb'],
    ['half of a surrogate pair', 'a\ud83db', 'a\ufffdb'],
  ])('shows %s', (_, text, expected) => {
    expect(sanitize(text)).toBe(expected);
  });

  test.each([
    ['a family', '👨‍👩‍👧‍👦'],
    ['a colored heart', '❤️'],
    ['a flag written with tag characters', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['combining marks', 'e\u0301 क्‍ष नी'],
    ['joiners in Persian', 'می‌خواهم'],
    ['an ideographic variation', '葛\u{e0100}'],
    ['tabs and line feeds', 'a\tb\n'],
  ])('keeps %s', (_, text) => {
    expect(sanitize(text)).toBe(text);
  });

  test('turns every kind of line end into a line feed', () => {
    expect(sanitize('a\r\nb\rc\r\r\nd\u2028e\x85f')).toBe('a\nb\nc\nd\ne\nf');
  });

  test('takes linear time for unterminated sequences', () => {
    for (const introducer of ['\x1b]', '\x9d', '\x1bP', '\x9b1', '\x1b[1;']) {
      expect(sanitize(introducer.repeat(200_000))).not.toContain('\x1b');
    }
  });
});

describe('sanitizeLine', () => {
  test('never returns a line break, a tab or a control character', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const line = sanitizeLine(text);
        expect(line).not.toMatch(/[\n\t]/);
        expect(Array.from(line).filter(isForbidden)).toEqual([]);
      }),
    );
  });

  test('takes linear time for endless spaces', () => {
    expect(sanitizeLine(`a${' '.repeat(1_000_000)}b`)).toHaveLength(1_000_002);
  });

  test('shows that a command has several lines', () => {
    expect(sanitizeLine('  ls\n\trm -rf ~\n')).toBe('ls ␤ rm -rf ~');
  });
});
