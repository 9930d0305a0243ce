import {mkdirSync, realpathSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commitPrograms, repositoryOf} from '../../../src/git/commit-hooks.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {git} from '../../support/folders/snapshot-folder.ts';

test('the settings of a worktree’s own are among those that a commit in it reads', async () => {
  const scratch = realpathSync(temporaryFolder());
  const [folder, worktree] = [join(scratch, 'main'), join(scratch, 'tree')];
  git(scratch, 'init', '-q', folder);
  git(folder, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'one');
  git(folder, 'config', 'extensions.worktreeConfig', 'true');
  git(folder, 'worktree', 'add', '-q', worktree);
  const own = join(folder, '.git/worktrees/tree/config.worktree');
  writeFileSync(own, '[core]\n\tfsmonitor = anything\n');
  const place = await repositoryOf(worktree);
  expect(place).toEqual({git: join(folder, '.git'), own: join(folder, '.git/worktrees/tree'), top: worktree});
  expect(await commitPrograms(worktree, 0, {...place, named: []})).toContainEqual({
    path: own,
    kind: 'settings',
    isNew: true,
  });
  expect(await repositoryOf(folder)).toMatchObject({own: join(folder, '.git')});
});

test('what the hooks of others run is named, and a hook of the collection of garbage', async () => {
  const folder = realpathSync(temporaryFolder());
  git(folder, 'init', '-q');
  git(folder, 'config', 'core.hooksPath', '.husky/_');
  for (const name of ['.husky/_', '.config']) mkdirSync(join(folder, name), {recursive: true});
  writeFileSync(join(folder, '.husky/_/pre-auto-gc'), '', {mode: 0o755});
  for (const name of [
    '.husky/pre-commit',
    'lefthook.yml',
    '.config/lefthook-local.toml',
    '.pre-commit-config.yaml',
  ])
    writeFileSync(join(folder, name), '');
  const found = await commitPrograms(folder, 0, {...(await repositoryOf(folder)), named: []});
  expect(found.map(({path, kind}) => `${kind} ${path.slice(folder.length + 1)}`)).toEqual(
    expect.arrayContaining([
      'hook .husky/_/pre-auto-gc',
      'settings .husky/pre-commit',
      'settings lefthook.yml',
      'settings .config/lefthook-local.toml',
      'settings .pre-commit-config.yaml',
    ]),
  );
});
