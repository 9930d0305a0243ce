import {describe, expect, test} from 'vitest';
import {rowsOf, wrongRows} from '../../../scripts/additions.ts';

const page = `
| new       | what it takes                                        |
| --------- | ---------------------------------------------------- |
| an effect | \`app/effects.ts\`, its row in \`conversation/effects.ts\` |
| an entry  | \`session/entries.ts\`, \`components/entries.ts\`    |
`;
const additions = [
  {row: 'an effect', file: 'src/app/effects.ts'},
  {row: 'an entry', file: 'src/session/entries.ts'},
];
const wrong = (complaints: readonly string[], more: typeof additions = []) =>
  wrongRows(rowsOf(page), [...additions, ...more], new Set(complaints));
const all = ['src/conversation/effects.ts', 'components/entries.ts'];

describe('the table of where to add things', () => {
  test('is correct if only the files it names have type errors', () => {
    expect(wrong(all)).toEqual([]);
  });

  test.each([
    [
      'other files have type errors, too',
      [...all, 'src/other.ts'],
      'src/other.ts, which no row of docs/internals/developing.md names',
    ],
    ['a file of a row has no type error', all.slice(1), 'src/conversation/effects.ts, where forgetting it'],
  ])('is wrong if %s', (_, complaints, problem) => {
    expect(wrong(complaints)).toEqual([expect.stringContaining(problem)]);
  });

  test('is wrong without a row, or without the file that is changed', () => {
    expect(wrong(all, [{row: 'a key', file: 'src/keys.ts'}])).toEqual([expect.stringContaining('a key')]);
    expect(wrong(all, [{row: 'an effect', file: 'src/keys.ts'}])).toEqual([
      expect.stringContaining('an effect goes into src/keys.ts'),
    ]);
  });
});
