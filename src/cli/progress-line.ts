import {truncate} from '../text/truncate.ts';

/** Minimum time between two texts, in milliseconds: faster is unreadable. */
const PACE_MS = 100;

/** Creates a throttled progress line, where each text replaces the one before; '' clears it at once. */
export function createProgressLine(
  say: (text: string) => void,
  columns: () => number,
): (text: string) => void {
  let shownAt = -Infinity;
  return (text) => {
    if (text !== '' && performance.now() - shownAt < PACE_MS) return;
    shownAt = text === '' ? -Infinity : performance.now();
    say(`\r\x1b[K${truncate(text, columns() - 1)}`);
  };
}
