import {getEventListeners} from 'node:events';
import {expect, test} from 'vitest';
import {settledUnless} from '../../../src/shared/timers/settled-within.ts';

test('what is waited for leaves no listener on a signal that outlives it', async () => {
  const {signal} = new AbortController();
  expect(await settledUnless(Promise.resolve('done'), signal)).toBe('done');
  await expect(settledUnless(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('it is given up when the signal is aborted, also before', async () => {
  const never = new Promise<string>(() => {});
  const stopping = new AbortController();
  const waiting = settledUnless(never, stopping.signal);
  stopping.abort();
  expect(await waiting).toBeUndefined();
  expect(await settledUnless(never, stopping.signal)).toBeUndefined();
  expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
});
