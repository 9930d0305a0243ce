import {chmodSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {applyWorktree} from '../../../src/worktrees/apply-worktree.ts';
import {mergeWorktree} from '../../../src/worktrees/merge-worktree.ts';
import {lossesOf, removeWorktree} from '../../../src/worktrees/remove-worktree.ts';
import {WorktreeProblem} from '../../../src/worktrees/worktree-git.ts';
import {git, writeFiles} from '../../support/folders/snapshot-folder.ts';
import {storedRecord, why, worktreeRepository} from '../../support/folders/worktree-repository.ts';

describe('what is only in a worktree is named before it is removed:', () => {
  test('files that were copied into it, and are not as they were in the source any more', async () => {
    const {state, source, write, made} = worktreeRepository();
    write({'a.txt': 'mine\n', 'untracked.txt': 'mine\n', 'run.sh': '#!/bin/sh\n'});
    const record = await made();
    expect(await lossesOf(record, state)).toMatchObject({ok: true, value: {sentence: undefined}});
    git(source, 'checkout', '-q', 'a.txt');
    rmSync(join(source, 'untracked.txt'));
    chmodSync(join(source, 'run.sh'), 0o755);
    const uncommitted = ['a.txt', 'run.sh', 'untracked.txt'];
    expect(await lossesOf(record, state)).toMatchObject({ok: true, value: {uncommitted}});
    expect(await removeWorktree(record, {state, agreed: {uncommitted: [], commits: 0}})).toMatchObject({
      ok: false,
    });
  });

  test('files that were applied, and undone in the source', async () => {
    const {state, source, made} = worktreeRepository();
    const record = await made();
    writeFiles(record.folder, {'a.txt': 'agent\n'});
    rmSync(join(record.folder, 'b.txt'));
    expect(await applyWorktree(record, {state})).toMatchObject({ok: true});
    expect(await lossesOf(storedRecord({state}), state)).toMatchObject({
      ok: true,
      value: {sentence: undefined},
    });
    git(source, 'checkout', '-q', '.');
    expect(await lossesOf(storedRecord({state}), state)).toMatchObject({
      ok: true,
      value: {uncommitted: ['a.txt', 'b.txt']},
    });
  });

  test('files that could not be applied, which are applied the next time', async () => {
    const {state, write, made, read} = worktreeRepository();
    const record = await made();
    writeFiles(record.folder, {'a.txt': 'agent\n', 'b.txt': 'agent\n'});
    // The user saves one in between.
    const onStep = () => write({'b.txt': 'mine\n'});
    expect(await applyWorktree(record, {state, onStep})).toMatchObject({
      ok: false,
      failure: {why: 'some files were left unchanged: b.txt: it has changed since'},
    });
    expect([read('a.txt'), read('b.txt')]).toEqual(['agent\n', 'mine\n']);
    expect(await lossesOf(storedRecord({state}), state)).toMatchObject({
      ok: true,
      value: {unfinished: ['a.txt', 'b.txt']},
    });
    write({'b.txt': 'b\n'});
    expect(await applyWorktree(storedRecord({state}), {state})).toMatchObject({ok: true});
    expect([read('a.txt'), read('b.txt')]).toEqual(['agent\n', 'agent\n']);
  });

  test('commits that it began with, and that no other branch has any more', async () => {
    const {state, made} = worktreeRepository();
    const first = await made();
    writeFiles(first.folder, {'a.txt': 'agent\n'});
    git(first.folder, 'commit', '-qam', 'agent');
    const second = await made({cwd: first.folder, name: 'more'});
    const nothing = {uncommitted: [], commits: 0};
    expect(await removeWorktree(first, {state, agreed: nothing})).toMatchObject({ok: true});
    expect(await removeWorktree(second, {state, agreed: nothing})).toMatchObject({
      ok: false,
      failure: {why: expect.stringContaining('1 commit that is on no other branch')},
    });
  });

  test('commits that only the source had checked out, once it has not', async () => {
    const {state, source, made, git: run} = worktreeRepository();
    run('checkout', '-q', '--detach');
    run('commit', '-q', '--allow-empty', '-m', 'on no branch');
    const record = await made();
    expect(await lossesOf(record, state)).toMatchObject({ok: true, value: {commits: 0}});
    run('checkout', '-q', 'main');
    expect(await lossesOf(record, state)).toMatchObject({ok: true, value: {commits: 1}});
    // What cannot be counted is not taken for nothing.
    writeFileSync(join(source, '.git/refs/heads/broken'), `${'1'.repeat(40)}\n`);
    expect(await lossesOf(record, state)).toMatchObject({ok: false});
  });
});

test('uncommitted changes that came from the source do not stop a merge when they have gone on there', async () => {
  const {state, write, made, read} = worktreeRepository();
  write({'b.txt': 'mine\n'});
  const record = await made();
  writeFiles(record.folder, {'a.txt': 'agent\n'});
  git(record.folder, 'commit', '-qm', 'agent', '--', 'a.txt');
  write({'b.txt': 'mine, later\n'});
  expect(await mergeWorktree(record, {state})).toMatchObject({ok: true});
  expect([read('a.txt'), read('b.txt')]).toEqual(['agent\n', 'mine, later\n']);
});

test.each(['merge files', 'merge index'])(
  'a merge that fails at "%s" is not under way any more',
  async (failing) => {
    const {state, source, made, read, git: run} = worktreeRepository();
    const record = await made();
    writeFiles(record.folder, {'a.txt': 'agent\n'});
    git(record.folder, 'commit', '-qam', 'agent');
    const lock = join(source, failing === 'merge files' ? '.git/index.lock' : '.git/refs/heads/main.lock');
    const onStep = (at: string) => {
      if (at === failing) writeFileSync(lock, '');
    };
    expect(why(await mergeWorktree(record, {state, onStep}))).toContain(
      `What was written is in ${source}, where git status shows it`,
    );
    expect(storedRecord({state}).step).toEqual({kind: 'ready'});
    rmSync(lock);
    expect(read('a.txt')).toBe('agent\n');
    expect(run('log', '-1', '--format=%s')).not.toBe('agent\n');
  },
);

test('applying that fails is not under way any more', async () => {
  const {state, made} = worktreeRepository();
  const record = await made();
  writeFiles(record.folder, {'a.txt': 'agent\n'});
  const onStep = (at: string) => {
    if (at === 'applied') throw new WorktreeProblem('the disk is full');
  };
  expect(why(await applyWorktree(record, {state, onStep}))).toBe('the disk is full');
  expect(storedRecord({state}).step).toEqual({kind: 'ready'});
});
