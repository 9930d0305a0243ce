import {expect, test} from 'vitest';
import {plainWords} from '../../../../src/text/markdown/plain.ts';

test.each([
  ['Hello from the **mock** model, with `code`.', 'Hello from the mock model, with code.'],
  ['**Looking around**\n\nI _will_ ~~not~~ ***read***', 'Looking around I will not read'],
  ['## Plan\n> quoted\n- first\n  * second', 'Plan quoted first second'],
  ['snake_case, _private and a * b * c > d', 'snake_case, _private and a * b * c > d'],
  ['src/__tests__/a_b.ts matches src/**/*.ts', 'src/__tests__/a_b.ts matches src/**/*.ts'],
  ['(**bold**), "_quoted_"!', '(bold), "quoted"!'],
  ['``a ` b``', 'a ` b'],
  ['**unfinished', '**unfinished'],
  ['#12 is not a heading', '#12 is not a heading'],
])('%j is %j in plain words', (markdown, words) => {
  expect(plainWords(markdown)).toBe(words);
});
