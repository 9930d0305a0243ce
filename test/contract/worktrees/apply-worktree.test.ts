import {chmodSync, rmSync, statSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {namesIn} from '../../../src/shared/files/safe-files.ts';

import {applyWorktree} from '../../../src/worktrees/apply-worktree.ts';

import {lossesOf} from '../../../src/worktrees/remove-worktree.ts';

import {git, writeFiles} from '../../support/folders/snapshot-folder.ts';
import {storedRecord, why, worktreeRepository} from '../../support/folders/worktree-repository.ts';

describe('applying', () => {
  test('brings changes, committed or not, without touching what else is in the source', async () => {
    const repository = worktreeRepository();
    const {state, write, read, made, git: run} = repository;
    write({'untracked.txt': 'mine\n', 'sub/deep.txt': 'my own\n'});
    const record = await made();
    const {folder} = record;
    writeFiles(folder, {'a.txt': 'a1\nnew\na3\n', 'made/here.txt': 'new\n'});
    git(folder, 'commit', '-qam', 'agent');
    rmSync(join(folder, 'b.txt'));
    const applied = await applyWorktree(record, {state});
    expect(applied).toMatchObject({ok: true, value: {files: ['a.txt', 'b.txt', 'made/here.txt']}});
    expect([read('a.txt'), read('b.txt'), read('made/here.txt')]).toEqual([
      'a1\nnew\na3\n',
      undefined,
      'new\n',
    ]);
    expect([read('untracked.txt'), read('sub/deep.txt')]).toEqual(['mine\n', 'my own\n']);
    expect(run('log', '--format=%s')).toBe('first\n');
    expect(why(await applyWorktree(storedRecord(repository), {state}))).toBe(
      'it has no changes that are not in its source',
    );
    // It is all in the source, but for the commit.
    const losses = await lossesOf(storedRecord(repository), state);
    expect(losses).toMatchObject({ok: true, value: {uncommitted: [], commits: 1}});
  });

  test('merges what was changed in the source, too, and later what changes after that', async () => {
    const repository = worktreeRepository();
    const {state, source, write, read, made, scratch} = repository;
    const record = await made();
    const lines = (text: string) => text.replaceAll(' ', '\n');
    write({'b.txt': 'b\nmine\n'});
    write({'a.txt': lines('mine a2 a3 ')});
    chmodSync(join(source, 'a.txt'), 0o600);
    writeFiles(record.folder, {'a.txt': lines('a1 a2 agent '), 'new.txt': 'new\n'});
    const applied = await applyWorktree(record, {state});
    expect(applied).toMatchObject({
      ok: true,
      value: {
        sentence: `Applied 2 files to ${source}: a.txt, new.txt. Merged with changes made there: a.txt.`,
        files: ['a.txt', 'new.txt'],
      },
    });
    expect([read('a.txt'), read('b.txt'), read('new.txt')]).toEqual([
      lines('mine a2 agent '),
      'b\nmine\n',
      'new\n',
    ]);
    expect(statSync(join(source, 'a.txt')).mode & 0o777).toBe(0o600);
    writeFiles(record.folder, {'a.txt': lines('a1 a2 agent again ')});
    expect(why(await applyWorktree(storedRecord(repository), {state}))).toBe('done');
    expect(read('a.txt')).toBe(lines('mine a2 agent again '));
    expect(namesIn(join(scratch, 'state/worktrees/fix/git')).join()).not.toContain('merge-');
  });

  test.each([
    ['in the same lines', {'a.txt': 'me\n'}, {'a.txt': 'agent\n', 'b.txt': 'agent\n'}],
    ['and is no text', {'a.txt': 'a1\na2\na3\n\0'}, {'a.txt': 'agent\na2\na3\n', 'b.txt': 'agent\n'}],
    ['in one place, and deleted in the other', {'a.txt': 'me\n'}, {'a.txt': undefined, 'b.txt': 'agent\n'}],
  ])('is refused as a whole if a file was changed in both, %s', async (_, mine, agents) => {
    const {state, source, write, read, made} = worktreeRepository();
    const record = await made();
    const {'a.txt': changed, ...others} = agents;
    if (changed === undefined) rmSync(join(record.folder, 'a.txt'));
    writeFiles(record.folder, {...others, ...(changed !== undefined && {'a.txt': changed})});
    write(mine);
    expect(why(await applyWorktree(record, {state}))).toBe(`in ${source}, a.txt: it has changed since`);
    expect([read('a.txt'), read('b.txt')]).toEqual([mine['a.txt'], 'b\n']);
  });

  test('merges into no other file than that of its name', async () => {
    const {state, source, scratch, read, made} = worktreeRepository();
    const record = await made();
    writeFiles(record.folder, {'a.txt': 'a1\na2\nagent\n'});
    writeFiles(scratch, {'secret.txt': 'mine\na2\na3\n'});
    rmSync(join(source, 'a.txt'));
    symlinkSync(join(scratch, 'secret.txt'), join(source, 'a.txt'));
    expect(why(await applyWorktree(record, {state}))).toBe(`in ${source}, a.txt: it has changed since`);
    expect(read('a.txt')).toBe('mine\na2\na3\n');
  });
});
