import {spawnSync} from 'node:child_process';
import {chmodSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {changedForGit} from '../../../src/git/changed-for-git.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {trappedRepository} from '../../support/folders/trapped-repository.ts';

test('what git would commit is found without running what the repository names', async () => {
  const scratch = realpathSync(temporaryFolder());
  const folder = join(scratch, 'repository');
  const {sprung} = trappedRepository(folder, join(scratch, 'marks'));
  utimesSync(join(folder, 'tracked.txt'), new Date(0), new Date(0));
  expect(await changedForGit(folder, ['tracked.txt', 'sub/deep.txt'])).toBeDefined();
  expect(sprung()).toEqual([]);
});

test('a file is changed by its content, its kind, its mode, or if it is gone', async () => {
  const folder = realpathSync(temporaryFolder());
  const git = (...args: readonly string[]) =>
    spawnSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  const names = ['same', 'content', 'kind', 'mode', 'gone', 'staged'];
  for (const name of names) writeFileSync(join(folder, name), `${name}\n`);
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  utimesSync(join(folder, 'same'), new Date(0), new Date(0));
  writeFileSync(join(folder, 'content'), 'CONTENT\n');
  rmSync(join(folder, 'kind'));
  symlinkSync('content', join(folder, 'kind'));
  chmodSync(join(folder, 'mode'), 0o755);
  rmSync(join(folder, 'gone'));
  writeFileSync(join(folder, 'staged'), 'STAGED\n');
  git('add', 'staged');
  writeFileSync(join(folder, 'new'), '');
  const all = [...names, 'new'];
  const {unstaged, isChanged} = (await changedForGit(folder, all))!;
  expect(all.filter((name) => unstaged.has(name))).toEqual(['content', 'kind', 'mode', 'gone', 'new']);
  expect(all.filter(isChanged)).toEqual(['content', 'kind', 'mode', 'gone', 'staged', 'new']);
});
