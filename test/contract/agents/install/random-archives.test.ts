import {readFileSync, realpathSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {tar} from './archives.ts';
import {below, createSandbox, outside, unpackBytes} from './unpacking.ts';

test('whatever is in an archive, nothing is written outside, and no link leads there', async () => {
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
  // Otherwise the property would hold because everything is refused.
  expect(unpacked).toBeGreaterThan(20);
});
