import {spawnSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {quoteCommand, quoteForAnyShell, quoteWords} from '../../../src/text/shell-quote.ts';

test.each([
  [['npm', 'run', '--flag=x', './a_b@1:2,3%'], 'npm run --flag=x ./a_b@1:2,3%'],
  [['echo', 'two words', ''], `echo 'two words' ''`],
  [['echo', "it's", '$HOME', '*'], String.raw`echo 'it'\''s' '$HOME' '*'`],
  [['PATH=/tmp', 'ls'], 'PATH=/tmp ls'],
])('%j parses as the same words in a shell', (words, line) => {
  expect(quoteWords(words)).toBe(line);
});

test.each([["it's"], [String.raw`a\'; touch x; echo \'`], ['ends with \\'], ['two\nlines']])(
  '%j is one word, also for shells in which a backslash escapes between quotes',
  (word) => {
    const line = quoteForAnyShell(['printf', '%s', word]);
    expect(spawnSync('sh', ['-c', line], {encoding: 'utf8'}).stdout).toBe(word);
    expect(line.replaceAll(/'\\['\\]'/g, '')).not.toContain('\\');
  },
);

test('a program that is named like a variable assignment is none', () => {
  expect(quoteCommand('PATH=/tmp', ['ls', 'A=b'])).toBe("'PATH=/tmp' ls A=b");
});
