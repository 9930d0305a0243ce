import {existsSync, lstatSync, mkdirSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {applyWorktree} from '../../../src/worktrees/apply-worktree.ts';
import {removeWorktree} from '../../../src/worktrees/remove-worktree.ts';
import {git, writeFiles} from '../../support/folders/snapshot-folder.ts';
import {contentIn, why, worktreeRepository} from '../../support/folders/worktree-repository.ts';
import {aPolicy, aSandbox, hasNoSandbox, outputOf} from '../sandbox/sandboxes.ts';

/** A repository with packages in a folder that is ignored as a folder only. */
function withPackages() {
  const repository = worktreeRepository();
  const {source, write} = repository;
  write({
    'build/one/index.js': 'one\n',
    'build/two/index.js': 'two\n',
    'build/.cache/entry': 'cached\n',
    'build/.lock.json': '{}\n',
    'build/@own/other/index.js': 'other\n',
  });
  mkdirSync(join(source, 'build/.bin'));
  symlinkSync('../../sub', join(source, 'build/@own/sub'));
  symlinkSync('../one/index.js', join(source, 'build/.bin/one'));
  symlinkSync('../../sub/deep.txt', join(source, 'build/.bin/deep'));
  symlinkSync('..', join(source, 'build/self'));
  return repository;
}

test('a linked folder is ignored, leads to the packages of the source, and to those of the repository in the worktree', async () => {
  const {source, made} = withPackages();
  const {folder, copied} = await made({link: ['build']});
  expect(copied).toEqual(['build']);
  expect(git(folder, 'status', '--porcelain')).toBe('');
  expect(lstatSync(join(folder, 'build/one')).isSymbolicLink()).toBe(true);
  writeFiles(folder, {'sub/deep.txt': 'changed\n'});
  const contents = [
    'one/index.js',
    '@own/other/index.js',
    '.bin/one',
    '@own/sub/deep.txt',
    '.bin/deep',
    'self/sub/deep.txt',
    '.lock.json',
  ].map((name) => contentIn(folder, `build/${name}`));
  expect(contents).toEqual(['one\n', 'other\n', 'one\n', 'changed\n', 'changed\n', 'changed\n', '{}\n']);
  expect(existsSync(join(folder, 'build/.cache'))).toBe(false);
  // What is installed there is the worktree's own.
  rmSync(join(folder, 'build/one'));
  writeFiles(folder, {'build/one/index.js': 'newer\n', 'build/.lock.json': '[]\n'});
  expect(contentIn(source, 'build/one/index.js')).toBe('one\n');
  expect(contentIn(source, 'build/.lock.json')).toBe('{}\n');
});

test('what is in a linked folder can be copied instead', async () => {
  const {source, made} = withPackages();
  const {folder} = await made({link: ['build'], copy: ['build/.cache', 'build/one']});
  writeFiles(folder, {'build/one/index.js': 'newer\n'});
  expect(contentIn(source, 'build/one/index.js')).toBe('one\n');
  expect(contentIn(folder, 'build/.cache/entry')).toBe('cached\n');
  expect(lstatSync(join(folder, 'build/two')).isSymbolicLink()).toBe(true);
});

test('the removal of a worktree follows no link', async () => {
  const {source, state, made, git: inSource} = withPackages();
  const record = await made({link: ['build']});
  const removed = await removeWorktree(record, {state, agreed: {uncommitted: [], commits: 0}});
  expect(why(removed)).toBe('done');
  expect(existsSync(record.folder)).toBe(false);
  const left = ['build/two/index.js', 'build/@own/other/index.js', 'sub/deep.txt'];
  expect(left.map((name) => contentIn(source, name))).toEqual(['two\n', 'other\n', 'deep\n']);
  expect(inSource('status', '--porcelain')).toBe('');
});

test('links that are no longer ignored are not brought to the source', async () => {
  const {source, state, made} = withPackages();
  const record = await made({link: ['build']});
  writeFiles(record.folder, {'.gitignore': '.env\n', 'a.txt': 'changed\n'});
  const applied = await applyWorktree(record, {state});
  expect(applied).toMatchObject({ok: true, value: {files: ['.gitignore', 'a.txt']}});
  expect(contentIn(source, 'build/two/index.js')).toBe('two\n');
});

test('what is copied is not linked', async () => {
  const {made} = withPackages();
  const {folder} = await made({copy: ['build'], link: ['build', '.env']});
  expect(lstatSync(join(folder, 'build/one')).isSymbolicLink()).toBe(false);
  expect(contentIn(folder, '.env')).toBe('KEY=1\n');
});

test.skipIf(hasNoSandbox)('in a sandbox nothing is written through a link', async () => {
  const {source, scratch, made} = withPackages();
  const {folder} = await made({link: ['build']});
  const sandbox = await aSandbox(aPolicy({roots: [folder], home: scratch}));
  const script = `cd ${folder}; (echo bad > build/one/index.js) 2>/dev/null || echo refused; cat build/one/index.js
    rm build/two; mkdir build/two; echo new > build/two/index.js; cat build/two/index.js`;
  expect(await outputOf(sandbox, script)).toBe('refused\none\nnew\n');
  expect(['one', 'two'].map((name) => contentIn(source, `build/${name}/index.js`))).toEqual([
    'one\n',
    'two\n',
  ]);
});
