import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {afterAll} from 'vitest';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options: object) => void;

/** Returns memory to the system at once; anything less may keep most of it for later. */
const ALL = {type: 'major', execution: 'sync', flavor: 'last-resort'};

/** How much more than last time is worth the half second that it takes. */
const GROWTH = 1.3;

/** What the process had when garbage was last collected, in bytes. */
let before = 200 * 1024 * 1024;

/** What a file has used is returned: from a large process, all later ones would take twice as long to start their programs. */
afterAll(() => {
  if (process.memoryUsage.rss() < before * GROWTH) return;
  collectGarbage(ALL);
  before = process.memoryUsage.rss();
});
