import {setFlagsFromString} from 'node:v8';

/**
 * Makes V8 save time and memory on bursts of output. By default the young generation of the heap grows to 48 MB, which is never returned, and hundreds of functions
 * are compiled by TurboFan, which takes a quarter of the CPU time of a long answer and saves hardly any: only functions that run much longer are (measured by
 * `npm run bench -- streaming long-transcript tool-calls`). Command-line flags would do the same, at the cost of another process per start.
 */
export function tuneEngine(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--invocation-count-for-turbofan=100000');
}
