import {setFlagsFromString} from 'node:v8';

/**
 * Makes V8 save time on bursts of output. By default hundreds of functions are compiled by TurboFan, which takes a quarter of the CPU time of a long answer and
 * saves hardly any: only functions that run much longer are (measured by `npm run bench -- streaming long-transcript tool-calls`). A command-line flag would do
 * the same, at the cost of another process per start.
 */
export function tuneEngine(): void {
  setFlagsFromString('--invocation-count-for-turbofan=100000');
}

/** Keeps the young generation of the heap small, for a process that lives long and draws nothing; by default it grows to 48 MB, which are never returned. */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
