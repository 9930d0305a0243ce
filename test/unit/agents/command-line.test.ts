import * as fc from 'fast-check';
import {parse} from 'shell-quote';
import {expect, test} from 'vitest';
import {quoteWords} from '../../../src/text/shell-quote.ts';

test('a command line is split into its original words', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', ' ', "'", '"', '$', '\\', '`', '*', '|', '&', ';', '#', '~', '=', '@'),
  });
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(parse(quoteWords(words), () => 'variable')).toEqual(words);
    }),
  );
});

test('words that need no quotes have none', () => {
  expect(quoteWords(['npx', '@scope/agent@1.2.3', '--acp', 'two words'])).toBe(
    "npx @scope/agent@1.2.3 --acp 'two words'",
  );
});
