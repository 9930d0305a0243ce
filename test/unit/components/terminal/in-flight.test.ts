import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createInFlight} from '../../../../components/terminal/in-flight.ts';

beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'setImmediate']}));
afterEach(() => void vi.useRealTimers());

/** The lines that may be under way so many milliseconds after one was printed. */
function linesAfter(milliseconds: number, answer?: number): number {
  const inFlight = createInFlight();
  if (answer !== undefined) inFlight.answered(answer);
  inFlight.add(1);
  vi.advanceTimersByTime(milliseconds);
  return inFlight.lines();
}

test('what was written shortly before a resize may not have reached the terminal', () => {
  expect(linesAfter(100)).toBe(1);
  expect(linesAfter(1000)).toBe(0);
});

test('on a busy machine the terminal may be as far behind as its last answer was late', () => {
  expect(linesAfter(1000, 1500)).toBe(1);
  expect(linesAfter(2000, 1500)).toBe(0);
  expect(linesAfter(100, 5)).toBe(1);
});
