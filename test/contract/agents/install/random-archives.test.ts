import {mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {tar, tarGz, zip} from '../../../support/servers/archives.ts';
import {twoBlocks} from './bzip2.ts';
import {below, createSandbox, outside, unpackBytes} from './unpacking.ts';

test('no archive writes or links outside the target folder', async () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'A', '..', '.', '');
  const path = fc.array(name, {minLength: 1, maxLength: 4}).map((names) => names.join('/'));
  const entry = fc.record({
    path,
    type: fc.constantFrom('0', '0', '1', '2', '2', '5', '3'),
    target: fc.oneof(path, fc.constantFrom('/etc', '../..', '../../archive', '.')),
    content: fc.constantFrom('', 'x', 'y'.repeat(600)),
  });
  const entries = fc.array(entry, {minLength: 1, maxLength: 6}).map((all) =>
    all.map(({type, target, content, ...rest}) => ({
      ...rest,
      type,
      ...(type === '0' && {content}),
      ...((type === '1' || type === '2') && {target}),
    })),
  );
  let unpacked = 0;
  await fc.assert(
    fc.asyncProperty(entries, async (all) => {
      const sandbox = createSandbox();
      writeFileSync(join(sandbox.root, 'deep', 'beside'), 'mine');
      const {ok} = await unpackBytes(tar(all), sandbox);
      unpacked += ok ? 1 : 0;
      expect(outside(sandbox)).toEqual(['archive', 'deep', 'deep/beside']);
      expect(readFileSync(join(sandbox.root, 'deep', 'beside'), 'utf8')).toBe('mine');
      for (const path of ok ? below(sandbox.target) : []) {
        expect(`${realpathSync(path)}/`).toContain(`${realpathSync(sandbox.target)}/`);
      }
    }),
    {numRuns: 300},
  );
  // Otherwise the property would hold because everything is rejected.
  expect(unpacked).toBeGreaterThan(5);
});

test('an archive damaged anywhere is unpacked or rejected, and nothing is written afterwards', async () => {
  const files = [
    {path: 'a/b', content: 'hello'.repeat(300)},
    {path: `${'long/'.repeat(30)}x`, content: 'y'},
  ];
  const links = [
    {path: 'l', type: '2', target: 'a/b'},
    {path: 'h', type: '1', target: 'a/b'},
  ];
  const whole = [tar([...files, ...links]), tarGz([...files, ...links]), zip(files), twoBlocks];
  const damage = fc.array(fc.tuple(fc.nat(1_000_000), fc.nat(255)), {minLength: 1, maxLength: 4});
  const sandbox = createSandbox();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...whole),
      damage,
      fc.double({min: 0, max: 4, noNaN: true}),
      async (good, bad, end) => {
        const bytes = Buffer.from(good);
        for (const [at, byte] of bad) bytes[at % bytes.length] = byte;
        // Complete as often as truncated. The folder is reused: late writes would get in the way.
        rmSync(sandbox.target, {recursive: true});
        mkdirSync(sandbox.target);
        const result = await unpackBytes(bytes.subarray(0, Math.ceil(end * bytes.length)), sandbox);
        expect(result.ok ? 'bad_archive' : result.failure.kind).toBe('bad_archive');
      },
    ),
  );
});
