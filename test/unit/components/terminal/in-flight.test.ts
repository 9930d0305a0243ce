import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createInFlight, missingRows} from '../../../../components/terminal/in-flight.ts';

beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'setImmediate']}));
afterEach(() => void vi.useRealTimers());

/** A line is printed, and the frame gets a line that takes two rows of 40 columns. */
const WRITTEN = {
  up: 0,
  added: ['new'],
  lines: [],
  isPatch: false,
  above: {before: ['short'], after: ['x'.repeat(80)]},
};

/** The rows that may be missing if the terminal is resized so many milliseconds after a write. */
function missingAfter(milliseconds: number, answer?: number): number {
  const inFlight = createInFlight();
  if (answer !== undefined) inFlight.answered(answer);
  inFlight.add(WRITTEN);
  vi.advanceTimersByTime(milliseconds);
  return missingRows(inFlight.writes(), [40]);
}

test('what was written shortly before a resize may not have reached the terminal', () => {
  expect(missingAfter(100)).toBe(1);
  expect(missingAfter(1000)).toBe(0);
});

test('on a busy machine the terminal may be as far behind as its last answer was late', () => {
  expect(missingAfter(1000, 1500)).toBe(1);
  expect(missingAfter(2000, 1500)).toBe(0);
  expect(missingAfter(100, 5)).toBe(1);
});
