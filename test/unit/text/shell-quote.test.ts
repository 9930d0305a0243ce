import {expect, test} from 'vitest';
import {quoteWords} from '../../../src/text/shell-quote.ts';

test.each([
  [['npm', 'run', '--flag=x', './a_b@1:2,3%'], 'npm run --flag=x ./a_b@1:2,3%'],
  [['echo', 'two words', ''], `echo 'two words' ''`],
  [['echo', "it's", '$HOME', '*'], String.raw`echo 'it'\''s' '$HOME' '*'`],
  // A program of that name, and no variable before the program behind it.
  [['PATH=/tmp', 'ls'], `'PATH=/tmp' ls`],
])('%j reads as the same words in a shell', (words, line) => {
  expect(quoteWords(words)).toBe(line);
});
