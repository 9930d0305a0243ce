import {expect, onTestFinished, test, vi} from 'vitest';
import {entriesOf, createSearchable} from '../../../src/search/search.ts';

/** A made-up project of 100,000 files, many of them alike. */
const files = Array.from({length: 100_000}, (_value, index) => {
  const parts = [index % 7, index % 43, index % 331].map((part) => `part${part}`);
  return `packages/${parts.join('/')}/component-${index}.test.ts`;
});

test('finds the best match among 100,000 files first without blocking', async () => {
  const found = createSearchable(await entriesOf([...files, 'src/app/prompt/menu-keys.ts']));
  await found.warm();
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  for (const query of ['menukeys', 'prompt/menu', 'sapmk', 'menu-keys.ts'])
    expect((await found.search(query))[0]?.path).toBe('src/app/prompt/menu-keys.ts');
  expect((await found.search('component-77777'))[0]?.path).toContain('component-77777.');
  isOver = true;
  expect(turns).toBeGreaterThan(0);
});

test('indexes many files piece by piece, not in one turn of the event loop', async () => {
  const entries = await entriesOf(files);
  const scheduled = vi.spyOn(globalThis, 'setImmediate');
  onTestFinished(() => scheduled.mockRestore());
  const found = createSearchable(entries);
  expect(scheduled).not.toHaveBeenCalled();
  await found.warm();
  expect(scheduled).toHaveBeenCalled();
});

test('a search longer than a frame shows partial results once before it continues', async () => {
  const found = createSearchable(await entriesOf(files));
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 4));
  onTestFinished(() => clock.mockRestore());
  const early: number[] = [];
  const all = await found.search('component', {onEarly: (hits) => early.push(hits.length)});
  expect(early).toEqual([expect.any(Number)]);
  expect(early[0]).toBeGreaterThan(0);
  expect(all).toHaveLength(50);
});
