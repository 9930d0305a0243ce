import {expect, test} from 'vitest';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {git} from '../../../support/folders/snapshot-folder.ts';
import {killRestore, prepareRestores} from './kill-restore.ts';

test('keeps every byte of the user, even if a restore is killed while files are saved', async () => {
  const restored = await prepareRestores(temporaryFolder());
  let caught = 0;
  for (let seed = 1; seed <= 5; seed++) {
    const {wasCaught, wrong} = await killRestore(restored, seed);
    expect(wrong).toEqual([]);
    caught += Number(wasCaught);
  }
  expect(caught).toBeGreaterThan(1);
  expect(git(restored.repository.gitDir, 'fsck', '--no-dangling')).toBe('');
}, 120_000);
