import {execa} from 'execa';
import {expect, test} from 'vitest';

const ENGINE = new URL('../../../../src/modes/start/engine.ts', import.meta.url).href;

/** Prints the largest size of the young generation, in MB, of a program whose garbage lives for a while. */
const PROGRAM = `
  import {getHeapSpaceStatistics} from 'node:v8';
  import {setImmediate as turn} from 'node:timers/promises';
  if (process.argv[1] === 'limited') (await import('${ENGINE}')).limitHeap();
  const kept = [];
  let largest = 0;
  for (let round = 0; round < 2000; round++) {
    kept[round % 100] = Array.from({length: 1000}, (_, index) => ({round, index}));
    largest = Math.max(largest, getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size);
    await turn();
  }
  process.stdout.write(String(largest / 2 ** 20));
`;

async function largestYoungHeap(how: 'limited' | 'as V8 does'): Promise<number> {
  const {stdout} = await execa(process.execPath, ['--input-type=module', '--eval', PROGRAM, how]);
  return Number(stdout);
}

test('the young generation of a window is limited, and garbage that lives for a while makes it grow without that', async () => {
  const [limited, unlimited] = await Promise.all([
    largestYoungHeap('limited'),
    largestYoungHeap('as V8 does'),
  ]);
  expect(limited).toBeLessThanOrEqual(20);
  expect(unlimited).toBeGreaterThan(40);
});
