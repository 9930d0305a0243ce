import {Writable} from 'node:stream';
import {setImmediate as turnOfEventLoop} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {createOutput} from '../../../src/cli/output.ts';

test('a text is written by itself, also after an empty one', async () => {
  let written = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  const output = createOutput(stream, 'standard output');
  output.write('');
  await turnOfEventLoop();
  output.write('later');
  await expect.poll(() => written).toBe('later');
});
