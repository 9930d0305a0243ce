import {readFileSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {git, snapshotFolder} from '../../../support/folders/snapshot-folder.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

const inRepository = (folder: string) => void git(folder, 'init', '-q', '-b', 'main');

/** Returns what counts the git processes that are started from now on. */
function countGit(): () => number {
  const bin = temporaryFolder();
  const log = join(bin, 'log');
  const real = process.env['PATH'] ?? '';
  writeFileSync(log, '');
  const script = `#!/bin/sh\necho started >> '${log}'\nPATH='${real}' exec git "$@"\n`;
  writeFileSync(join(bin, 'git'), script, {mode: 0o755});
  vi.stubEnv('PATH', [bin, real].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
  return () => readFileSync(log, 'utf8').split('\n').length - 1;
}

test.each([
  ['a folder without git', '', () => {}],
  ['a git repository', '', inRepository],
  ['a folder of a git repository', 'sub', (folder: string) => inRepository(join(folder, '..'))],
])('as long as nothing changes, a snapshot of %s starts one git', async (_what, inside, prepare) => {
  const {write, take} = await snapshotFolder(prepare, inside);
  write({'.gitignore': '*.log\n', 'a.txt': 'a', 'deep/b.txt': 'b', 'deep/c.log': 'ignored'});
  await take();
  const id = await take();
  const started = countGit();
  expect(await take()).toBe(id);
  expect(await take()).toBe(id);
  expect(started()).toBe(2);
});

test('what changes only in the repository or its settings is still noticed', async () => {
  const {folder, write, take, changes, git: run} = await snapshotFolder();
  write({'a.txt': 'a', 'a.log': 'log', 'rules/b.txt': 'b'});
  const without = await take();
  run('init', '-q', '-b', 'main');
  writeFileSync(join(folder, '.git/info/exclude'), '*.md\n');
  write({'a.md': 'excluded'});
  expect(await changes(without, await take())).toEqual([]);
  write({'../excludes': '*.html\n', 'a.html': 'excluded'});
  run('config', 'core.excludesFile', '../excludes');
  expect(await changes(without, await take())).toEqual([]);
  run('add', '-f', 'a.html');
  expect(await changes(without, await take())).toEqual(['A a.html']);
});
