import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {writeNewFile} from '../../../src/shared/files/safe-files.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

test('a long text is written unchanged, with emoji at every boundary of its slices', async () => {
  const text = `x${'\u{1f44d}'.repeat(600 * 1024)}`;
  const written = await writeNewFile(join(temporaryFolder(), 'long.md'), text);
  expect(written.ok && readFileSync(written.value, 'utf8') === text).toBe(true);
});
