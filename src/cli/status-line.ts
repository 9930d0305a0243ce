import {truncate} from '../text/truncate.ts';

/** Nobody reads faster. */
const PACE_MS = 100;

/** Shows how far something is, now and then, in the place of what it showed before; '' shows nothing, at once. */
export function createStatusLine(say: (text: string) => void, columns: () => number): (text: string) => void {
  let shownAt = -Infinity;
  return (text) => {
    if (text !== '' && performance.now() - shownAt < PACE_MS) return;
    shownAt = text === '' ? -Infinity : performance.now();
    say(`\r\x1b[K${truncate(text, columns() - 1)}`);
  };
}
