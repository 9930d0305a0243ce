import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {atWordBefore, atWords, referenceTo} from '../../../../src/app/editor/attachments.ts';

/** The word before the `|`. */
function typed(marked: string) {
  return atWordBefore(marked.replace('|', ''), marked.indexOf('|'));
}

describe('the word at the caret', () => {
  test.each([
    ['@|', ''],
    ['@src/a|', 'src/a'],
    ['look at @src/a.ts|', 'src/a.ts'],
    ['(@src/a|', 'src/a'],
    ['first\n@src|', 'src'],
    ['@"my file|', 'my file'],
    ['@src/a.ts:|', 'src/a.ts'],
    ['@src/a.ts:10-|', 'src/a.ts'],
    ['@src/a.ts#|', 'src/a.ts'],
    ['@src/a.ts#L10-L|', 'src/a.ts'],
  ])('%s is about "%s"', (marked, path) => {
    expect(typed(marked)?.path).toBe(path);
  });

  test.each([
    ['an address', 'mail joe@example.org|'],
    ['a finished word', '@src/a.ts |'],
    ['a closed quoted name', '@"my file" |'],
    ['a scoped package in code', "from '@types/node|"],
    ['the previous line', '@src\n|'],
    ['text after the caret', '|@src'],
  ])('%s is none', (_what, marked) => {
    expect(typed(marked)).toBeUndefined();
  });

  test('counts lines from 1, the smaller one first', () => {
    expect(typed('@a.ts:10-40|')?.lines).toEqual({first: 10, last: 40});
    expect(typed('@a.ts:40-10|')?.lines).toEqual({first: 10, last: 40});
    expect(typed('@a.ts:7|')?.lines).toEqual({first: 7, last: 7});
    expect(typed('@"a b.ts":7|')?.lines).toEqual({first: 7, last: 7});
    expect(typed('@a.ts:0|')?.lines).toBeUndefined();
  });

  test.each(['@a.ts#10-40', '@a.ts#L10-L40', '@a.ts#L10-40', '@"a.ts"#L10-L40'])(
    '%s has lines as others write them',
    (reference) => {
      const word = {path: 'a.ts', lines: {first: 10, last: 40}};
      expect(typed(`${reference}|`)).toMatchObject(word);
      expect(atWords(`see ${reference}.`)).toMatchObject([word]);
    },
  );

  test('a # in a name is part of it', () => {
    expect(atWords('@c# @c#.md @a#b @"c# x.md"').map(({path}) => path)).toEqual([
      'c#',
      'c#.md',
      'a#b',
      'c# x.md',
    ]);
  });

  test('is found at once after a text of any length', () => {
    const text = `${'@'.repeat(200_000)} @src`;
    expect(atWordBefore(text, text.length)?.path).toBe('src');
  });
});

test('excludes trailing punctuation', () => {
  const words = atWords('Compare @src/a.ts, (@src/b.ts:3) and @"c d.md". joe@example.org');
  expect(words.map(({path}) => path)).toEqual(['src/a.ts', 'src/b.ts', 'c d.md']);
  expect(words[1]?.lines).toEqual({first: 3, last: 3});
});

const names = fc
  .array(fc.constantFrom('a', 'ß', '漢', '.', '/', '-', '_', ' ', '1'), {minLength: 1, maxLength: 12})
  .map((parts) => `${parts.join('').trim()}x`);
const ranges = fc.option(
  fc
    .tuple(fc.integer({min: 1, max: 9999}), fc.nat(500))
    .map(([first, more]) => ({first, last: first + more})),
  {nil: undefined},
);

test('a reference to any file is parsed again', () => {
  fc.assert(
    fc.property(names, ranges, (name, lines) => {
      const reference = referenceTo({name, lines});
      const [word] = atWords(`see ${reference} there`);
      expect(word).toMatchObject({path: name, from: 4, to: 4 + reference.length});
      expect(word?.lines).toEqual(lines);
    }),
  );
});
