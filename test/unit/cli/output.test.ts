import {Writable} from 'node:stream';
import {setImmediate as turnOfEventLoop} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {createOutput, exitCodeAfter} from '../../../src/cli/output.ts';

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

test.each([
  ['its reader has gone', 'EPIPE', 141, ''],
  ['the disk is full', 'ENOSPC', 1, 'acp-tui: '],
])('the exit code says that %s, whatever the run did', async (_, code, exitCode, said) => {
  const failing = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('planted'), {code})),
  });
  let errors = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      errors += String(chunk);
      done();
    },
  });
  const outputs = {
    stdout: createOutput(failing, 'standard output'),
    stderr: createOutput(stderr, 'standard error'),
  };
  outputs.stdout.write('result');
  expect(await exitCodeAfter(outputs, 0)).toBe(exitCode);
  expect(errors.slice(0, 9)).toBe(said);
});
