import {expect, test} from 'vitest';
import {createSearchable, entriesOf} from '../../../src/search/search.ts';

async function search(query: string, files: readonly string[]): Promise<readonly string[]> {
  return (await createSearchable(await entriesOf(files)).search(query)).map(({path}) => path);
}

const FILES = [
  'components/transcript/subagent-card.ts',
  'src/serve/server.ts',
  'src/session/reduce.ts',
  'src/app/handlers/index.ts',
  'test/src/session/reduce.test.ts',
];

test.each([
  ['src/se', ['src/serve/', 'src/session/']],
  ['SRC/Se', ['src/serve/', 'src/session/']],
  ['src/reduce', ['src/session/reduce.ts', 'test/src/session/reduce.test.ts']],
  ['app/hndl', ['src/app/handlers/', 'src/app/handlers/index.ts']],
  ['s/ses/red', ['src/session/reduce.ts']],
  ['sess/', ['src/session/']],
])('%s matches by the segments of paths, the best first', async (query, expected) => {
  const found = await search(query, FILES);
  expect(found.slice(0, expected.length)).toEqual(expected);
  expect(found).not.toContain('components/transcript/subagent-card.ts');
});

test('segments in another order do not match', async () => {
  expect(await search('se/src', FILES)).toEqual([]);
});

test('many segments that all match take no time', async () => {
  const path = `${'a/'.repeat(500)}b`;
  expect(await search(`${'a/'.repeat(12)}b`, [path])).toContain(path);
});

test.each(['comp', 'ui/comp', 'ui/', 'index'])(
  '%s: equally good matches are in natural order',
  async (query) => {
    const numbers = Array.from({length: 120}, (_, index) => index + 1);
    const files = numbers.map((number) => `ui/comp${number}/index.ts`);
    const found = await search(query, files.toSorted());
    const order = found.filter((path) => path !== 'ui/').map((path) => Number(/\d+/.exec(path)?.[0]));
    expect(order.slice(0, 12)).toEqual(numbers.slice(0, 12));
  },
);
