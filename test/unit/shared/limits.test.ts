import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {LIMITS} from '../../../src/shared/limits.ts';

test('docs/internals/reliability.md lists every limit with its value', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/internals/reliability.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` +\| +(\d+) \|/gm)].map(([, name, value]) => [
    name,
    Number(value),
  ]);
  expect(Object.fromEntries(rows)).toEqual(LIMITS);
});
