import {expect, test} from 'vitest';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {killOne, type Killed} from './kill.ts';

test('what was shown is stored, at whatever point a process is killed', async () => {
  const folder = temporaryFolder();
  const killed: Killed[] = [];
  for (let seed = 1; seed <= 4; seed++) killed.push(await killOne(folder, seed));
  expect(killed.flatMap(({wrong}) => wrong)).toEqual([]);
  expect(killed.some(({shown}) => shown > 20)).toBe(true);
});
