import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {afterAll} from 'vitest';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A process that has more than this takes twice as long to start another one, in bytes. */
const MUCH_MEMORY = 256 * 1024 * 1024;

/** What a file has used is returned: otherwise all later ones start their programs from a large process. */
afterAll(() => {
  if (process.memoryUsage.rss() > MUCH_MEMORY) collectGarbage();
});
