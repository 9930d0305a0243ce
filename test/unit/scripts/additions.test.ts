import {describe, expect, test} from 'vitest';
import {rowsOf, wrongRows} from '../../../scripts/additions.ts';

const page = `
| new       | what it takes                                        |
| --------- | ---------------------------------------------------- |
| an effect | \`app/effects.ts\`, its row in \`client/effects.ts\` |
| an entry  | \`session/entries.ts\`, \`components/entries.ts\`    |
`;
const additions = [
  {row: 'an effect', file: 'src/app/effects.ts'},
  {row: 'an entry', file: 'src/session/entries.ts'},
];
const wrong = (complaints: readonly string[], more: typeof additions = []) =>
  wrongRows(rowsOf(page), [...additions, ...more], new Set(complaints));
const all = ['src/client/effects.ts', 'components/entries.ts'];

describe('the table of where a new thing goes', () => {
  test('is right where types complain in just the files that it names', () => {
    expect(wrong(all)).toEqual([]);
  });

  test.each([
    ['types complain elsewhere, too', [...all, 'src/other.ts'], 'src/other.ts, which no row names'],
    ['they do not complain in a file of a row', all.slice(1), 'src/client/effects.ts, where forgetting it'],
  ])('is wrong where %s', (_, complaints, problem) => {
    expect(wrong(complaints)).toEqual([expect.stringContaining(problem)]);
  });

  test('is wrong where it has no row, or not the file that a thing is added to', () => {
    expect(wrong(all, [{row: 'a key', file: 'src/keys.ts'}])).toEqual([expect.stringContaining('a key')]);
    expect(wrong(all, [{row: 'an effect', file: 'src/keys.ts'}])).toEqual([
      expect.stringContaining('an effect goes into src/keys.ts'),
    ]);
  });
});
