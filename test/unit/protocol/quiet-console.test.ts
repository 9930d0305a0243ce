import {expect, test, vi} from 'vitest';
import {quietConsole} from '../../../src/protocol/quiet-console.ts';

test('the console goes to the log until it is restored', () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const complained = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const before = console.error;
  const log: [string, string][] = [];
  const restore = quietConsole((level, text) => log.push([level, text]));
  console.error('Got response to unknown request %d', 7, {a: [1]});
  console.warn('careful');
  console.log('said');
  restore();
  expect(log).toEqual([
    ['error', 'Got response to unknown request 7 { a: [ 1 ] }'],
    ['warn', 'careful'],
    ['info', 'said'],
  ]);
  expect(written).not.toHaveBeenCalled();
  expect(complained).not.toHaveBeenCalled();
  expect(console.error).toBe(before);
  vi.restoreAllMocks();
});
