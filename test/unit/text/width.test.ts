import * as fc from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {graphemes, joinedWidth, width} from '../../../src/text/width.ts';
import {hostileText} from '../../support/text/hostile.ts';
import {plainLine, styledLine} from './support/styled.ts';

const emoji = /\u200d|\p{Regional_Indicator}|\p{Emoji_Modifier}/u;

test('agrees with string-width, which Ink measures with, on any text', () => {
  fc.assert(
    fc.property(fc.oneof(plainLine, styledLine, hostileText), (text) => {
      expect(joinedWidth(text)).toBe(stringWidth(text));
      const more = width(text) - stringWidth(text);
      expect(emoji.test(text) ? more >= 0 : more === 0).toBe(true);
    }),
  );
});

test('takes control sequences of one character as string-width does', () => {
  const text = '\x1b[31m\x9d0;title\x9c';
  expect(width(text)).toBe(stringWidth(text));
});

test('counts emoji that some terminals do not join one by one', () => {
  expect(['👨‍👩‍👧', '👍🏽', '🇩🇪', '❤️', '한', 'e\u0301'].map(width)).toEqual([6, 4, 2, 2, 2, 1]);
  expect(['👨‍👩‍👧', '👍🏽', '🇩🇪', '❤️', '한', 'e\u0301'].map(joinedWidth)).toEqual([2, 2, 2, 2, 2, 1]);
});

test('agrees with string-width on every character of the basic plane, beside a letter and beside itself', () => {
  const wrong = [];
  for (let code = 0; code < 0xd800; code++) {
    const character = String.fromCharCode(code);
    const text = `a${character}${character}`;
    if (width(text) !== stringWidth(text)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

test('counts whole characters, however many code points they have', () => {
  expect(graphemes('ae\u0301👨‍👩‍👧日本🇩🇪')).toEqual(['a', 'e\u0301', '👨‍👩‍👧', '日', '本', '🇩🇪']);
  expect(graphemes('')).toEqual([]);
});

test('splits every text into the characters of the segmenter', () => {
  const segmenter = new Intl.Segmenter();
  fc.assert(
    fc.property(plainLine, (text) => {
      expect(graphemes(text)).toEqual(Array.from(segmenter.segment(text), ({segment}) => segment));
    }),
  );
});
