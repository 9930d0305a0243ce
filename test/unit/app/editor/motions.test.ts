import {describe, expect, test} from 'vitest';
import {at, applyActions, textWithCaret} from './marked.ts';

describe('Home and End', () => {
  // Eight columns show `aaaa `, `bbbb `, `cccc`.
  const options = {columns: 8};

  test('go to the edges of the screen row, then to those of the line', () => {
    const draft = at('first\naaaa bb|bb cccc');
    expect(textWithCaret(applyActions(draft, ['move_row_start'], options))).toBe('first\naaaa |bbbb cccc');
    expect(textWithCaret(applyActions(draft, ['move_row_start', 'move_row_start'], options))).toBe(
      'first\n|aaaa bbbb cccc',
    );
    expect(textWithCaret(applyActions(draft, ['move_row_end'], options))).toBe('first\naaaa bbbb| cccc');
    expect(textWithCaret(applyActions(draft, ['move_row_end', 'move_row_end'], options))).toBe(
      'first\naaaa bbbb cccc|',
    );
  });

  test('stay in the row if its last character is wide', () => {
    expect(textWithCaret(applyActions(at('|漢字漢字漢字'), ['move_row_end'], {columns: 7}))).toBe(
      '漢字|漢字漢字',
    );
  });
});

describe('transposing', () => {
  test.each([
    ['ab|cd', 'acb|d'],
    ['abc|', 'acb|'],
    ['|abc', '|abc'],
    ['a|', 'a|'],
    ['x\n|ab', 'x\n|ab'],
    ['a👩‍👩‍👧|b', 'ab👩‍👩‍👧|'],
  ])('characters of %j gives %j', (text, result) => {
    expect(textWithCaret(applyActions(at(text), ['transpose_characters']))).toBe(result);
  });

  test.each([
    ['one |two', 'two one|'],
    ['one, tw|o three', 'two, one| three'],
    ['one| two three', 'two one| three'],
    ['one two|', 'two one|'],
    ['one two |', 'two one| '],
    ['|one', '|one'],
  ])('words of %j gives %j', (text, result) => {
    expect(textWithCaret(applyActions(at(text), ['transpose_words']))).toBe(result);
  });
});
