import {describe, expect, test} from 'vitest';
import {keepStyles} from '../../../src/text/ansi.ts';

describe('keepStyles', () => {
  test.each([
    ['a style', '\x1b[1;38;5;196mred\x1b[0m'],
    ['a link', '\x1b]8;;https://example.org\x07there\x1b]8;;\x07'],
    ['any text', 'naïve 日本語 👩‍👩‍👧'],
  ])('keeps %s', (_, text) => {
    expect(keepStyles(text)).toBe(text);
  });

  test.each([
    ['an erased screen', 'a\x1b[2Jb', 'a[2Jb'],
    ['a moved cursor', 'a\x1b[5;5Hb', 'a[5;5Hb'],
    ['a title', 'a\x1b]2;title\x07b', 'a]2;titleb'],
    ['a bell, a line feed and a delete', '\x07a\nb\x7f', 'ab'],
    ['an 8-bit control character', 'a\x9b2Jb', 'a2Jb'],
  ])('neutralizes %s', (_, text, disarmed) => {
    expect(keepStyles(text)).toBe(disarmed);
  });
});
