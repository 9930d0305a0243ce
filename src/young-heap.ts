import {setFlagsFromString} from 'node:v8';

/**
 * Keeps the part of the heap for new objects as large as it is now: a burst of output makes it grow to 48 MB, which it then keeps,
 * and which saves no time worth that (measured by `npm run bench -- streaming long-transcript`). A flag of the command line would do the
 * same, at the price of a process more at each start.
 */
export function keepYoungHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
