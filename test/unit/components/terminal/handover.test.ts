import {expect, test} from 'vitest';
import {createHandover} from '../../../../components/terminal/handover.ts';

test('the terminal comes back from a program that could not be started', async () => {
  const handover = createHandover({
    before: () => undefined,
    suspend: () => Promise.reject(new Error('no such program')),
    after: () => undefined,
  });
  await expect(handover.lendTerminal(() => Promise.resolve())).rejects.toThrow('no such program');
  expect(handover.isAway()).toBe(false);
});
