import {getHeapSpaceStatistics, setFlagsFromString} from 'node:v8';

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

/** Size of a window's young generation in bytes, both halves: larger ones save no time (`npm run bench -- streaming`). V8's own limit is 128 MB. */
const MAX_YOUNG = 16 * 2 ** 20;

/**
 * Keeps the heap of a window near the size of what it holds. By default a turn's garbage makes the young generation grow to 128 MB, and the old one to four times
 * what is alive. Growth of the young one is allowed only below its limit, since V8 shrinks it while nothing happens.
 */
export function limitHeap(): void {
  setFlagsFromString('--heap-growing-percent=50');
  let isGrowing = true;
  new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({space_name: name}) => name === 'new_space');
    const mayGrow = (young?.space_size ?? 0) < MAX_YOUNG;
    if (mayGrow !== isGrowing) setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
    isGrowing = mayGrow;
  }).observe({entryTypes: ['gc']});
}
