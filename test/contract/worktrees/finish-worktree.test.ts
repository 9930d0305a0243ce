import {existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';

import {applyWorktree} from '../../../src/worktrees/apply-worktree.ts';
import {mergeWorktree} from '../../../src/worktrees/merge-worktree.ts';
import {lossesOf, releaseWorktree, removeWorktree} from '../../../src/worktrees/remove-worktree.ts';
import {readRemoved, pruneRemoved} from '../../../src/worktrees/removed-worktrees.ts';
import {tidyWorktrees} from '../../../src/worktrees/tidy-worktrees.ts';
import {
  readRecord,
  readRecords,
  writeRecord,
  type WorktreeRecord,
} from '../../../src/worktrees/worktree-record.ts';
import {git, writeFiles} from '../../support/folders/snapshot-folder.ts';
import {
  storedRecord,
  why,
  worktreeRepository,
  type WorktreeRepository,
} from '../../support/folders/worktree-repository.ts';

describe('merging', () => {
  test('goes forward, and later makes a merge commit; uncommitted changes of the source stay', async () => {
    const repository = worktreeRepository();
    const {state, write, read, made, git: run} = repository;
    write({'b.txt': 'not committed\n'});
    const record = await made();
    const {folder} = record;
    writeFiles(folder, {'a.txt': 'agent\na2\na3\n', 'new.txt': 'new\n'});
    expect(why(await mergeWorktree(record, {state}))).toContain('that are not committed (a.txt, new.txt)');
    git(folder, 'add', 'a.txt', 'new.txt');
    git(folder, 'commit', '-qm', 'agent');
    const forward = await mergeWorktree(record, {state});
    expect(forward).toMatchObject({
      ok: true,
      value: {sentence: 'Merged (fast-forward) acp-tui/fix into main, 2 files: a.txt, new.txt.'},
    });
    expect([read('a.txt'), read('new.txt'), read('b.txt')]).toEqual([
      'agent\na2\na3\n',
      'new\n',
      'not committed\n',
    ]);
    expect(run('status', '--porcelain')).toBe(' M b.txt\n');
    run('commit', '-q', '--allow-empty', '-m', 'mine');
    writeFiles(folder, {'a.txt': 'agent\na2\nend\n'});
    git(folder, 'commit', '-qm', 'agent 2', '--', 'a.txt');
    expect(why(await mergeWorktree(storedRecord(repository), {state}))).toBe('done');
    expect(read('a.txt')).toBe('agent\na2\nend\n');
    expect(run('log', '-1', '--format=%s %an')).toBe("Merge branch 'acp-tui/fix' Ada\n");
    expect(run('status', '--porcelain')).toBe(' M b.txt\n');
  });

  test.each([
    ['a file that is as it was before', 'a.txt', () => {}],
    ['one that has never been there', 'hidden.json', (folder: string) => rmSync(join(folder, 'hidden.json'))],
  ])('is refused while a commit changes %s', async (_, name, hide) => {
    const {state, made, read} = worktreeRepository();
    const record = await made();
    const {folder} = record;
    const before = read(name);
    writeFiles(folder, {[name]: 'agent\n'});
    git(folder, 'add', name);
    git(folder, 'commit', '-qm', 'agent');
    if (before !== undefined) writeFiles(folder, {[name]: before});
    hide(folder);
    expect(why(await mergeWorktree(record, {state}))).toContain(`that are not committed (${name})`);
    expect(read(name)).toBe(before);
  });

  test.each(['merge', 'rebase'])(
    'takes what a sparse checkout leaves out for no change once the source’s commits are in it: %s',
    async (how) => {
      const {state, made, read, write, git: run} = worktreeRepository();
      run('update-index', '-q', '--refresh');
      run('sparse-checkout', 'set', '--no-cone', '/a.txt', '/.gitignore');
      const record = await made();
      const {folder} = record;
      write({'b.txt': 'mine\n'});
      run('add', '--sparse', 'b.txt');
      run('commit', '-q', '-m', 'mine');
      run('sparse-checkout', 'reapply');
      writeFiles(folder, {'a.txt': 'agent\n'});
      git(folder, 'commit', '-qam', 'agent');
      git(folder, how, '-q', 'main');
      expect(git(folder, 'status', '--porcelain')).toBe('');
      expect(why(await mergeWorktree(record, {state}))).toBe('done');
      expect([read('a.txt'), run('show', 'HEAD:b.txt')]).toEqual(['agent\n', 'mine\n']);
    },
  );

  test('names no files if its commits change none', async () => {
    const {state, made} = worktreeRepository();
    const record = await made();
    git(record.folder, 'commit', '-q', '--allow-empty', '-m', 'agent');
    expect(await mergeWorktree(record, {state})).toMatchObject({
      ok: true,
      value: {sentence: 'Merged (fast-forward) acp-tui/fix into main, 0 files.'},
    });
  });

  test('is refused with the reason, and changes nothing then', async () => {
    const repository = worktreeRepository();
    const {state, scratch, source, made, read, write, git: run} = repository;
    const record = await made();
    writeFiles(record.folder, {'a.txt': 'agent\n'});
    git(record.folder, 'commit', '-qam', 'agent');
    const first = run('rev-parse', 'HEAD').trim();
    const attributes = join(source, '.git/info/attributes');
    const reasons: readonly (readonly [prepare: () => void, reason: string])[] = [
      [() => run('checkout', '-q', '-b', 'other'), 'has other checked out, not main'],
      [
        () => {
          run('checkout', '-q', '--detach');
          run('worktree', 'add', '-q', join(scratch, 'elsewhere'), 'main');
        },
        'has no branch checked out',
      ],
      [
        () => {
          run('worktree', 'remove', join(scratch, 'elsewhere'));
          run('checkout', '-q', 'main');
          write({'a.txt': 'mine\n'});
        },
        'a.txt: it has changed since',
      ],
      [() => run('commit', '-qam', 'mine'), 'have conflicts: git merge acp-tui/fix in'],
      [
        () => {
          run('reset', '-q', '--hard', first);
          writeFileSync(attributes, 'a.txt filter=lfs\n');
        },
        'git converts a.txt by a filter, which acp-tui does not run',
      ],
      [() => writeFileSync(join(source, '.git/MERGE_HEAD'), ''), 'a merge is under way in'],
    ];
    for (const [prepare, reason] of reasons) {
      prepare();
      const before = read('a.txt');
      expect(why(await mergeWorktree(record, {state}))).toContain(reason);
      expect(read('a.txt')).toBe(before);
      expect(storedRecord(repository).step).toEqual({kind: 'ready'});
    }
  });
});

describe('removing', () => {
  test('takes what the user knows, keeps its last state for 14 days, and refuses more', async () => {
    const repository = worktreeRepository();
    const {state, source, write, made, git: run} = repository;
    write({'untracked.txt': 'mine\n'});
    const record = await made();
    const {folder} = record;
    writeFiles(folder, {'a.txt': 'agent\n', 'new.txt': 'new\n', 'build/out.txt': 'built\n'});
    git(folder, 'commit', '-qam', 'agent');
    // What it made is hidden from git, but not lost.
    writeFiles(folder, {'.gitignore': '*.txt\n'});
    rmSync(join(folder, 'b.txt'));
    const losses = await lossesOf(record, state);
    expect(losses).toMatchObject({
      ok: true,
      value: {
        sentence:
          'It has 3 files with uncommitted changes: .gitignore, b.txt, new.txt; 1 commit that is on no other branch.',
      },
    });
    const agreed = {uncommitted: ['.gitignore', 'b.txt'], commits: 1};
    expect(why(await removeWorktree(record, {state, agreed}))).toContain(
      'it has changed meanwhile: It has 3 files',
    );
    expect(existsSync(folder)).toBe(true);
    const all = {uncommitted: ['.gitignore', 'b.txt', 'new.txt'], commits: 1};
    const removed = await removeWorktree(record, {state, agreed: all});
    const [{ref} = {ref: ''}] = readRemoved(state);
    expect(removed).toMatchObject({
      ok: true,
      value: {sentence: expect.stringContaining(`git -C ${source} branch fix ${ref}`)},
    });
    expect([existsSync(folder), readRecords(state).length]).toEqual([false, 0]);
    expect(run('branch', '--list', 'acp-tui/*')).toBe('');
    expect(run('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(run('ls-tree', '-r', '--name-only', ref)).toBe(
      '.gitignore\na.txt\nnew.txt\nsub/deep.txt\nuntracked.txt\n',
    );
    expect(run('log', '--format=%s', ref)).toBe('Last state of the worktree fix\nagent\nfirst\n');
    await pruneRemoved(state, Date.now() + 13 * 86_400_000);
    expect(run('for-each-ref', 'refs/acp-tui')).not.toBe('');
    await pruneRemoved(state, Date.now() + 15 * 86_400_000);
    expect([run('for-each-ref', 'refs/acp-tui'), readRemoved(state)]).toEqual(['', []]);
  });

  test.each([
    [
      'a link',
      (folder: string) => symlinkSync('elsewhere', join(folder, 'sub')),
      'elsewhere/deep.txt\nsub\n',
    ],
    ['a file', (folder: string) => writeFiles(folder, {sub: 'file\n'}), 'elsewhere/deep.txt\nsub\n'],
    [
      'a file in which',
      (folder: string) => writeFiles(folder, {'sub/deep.txt/x': ''}),
      'elsewhere/deep.txt\nsub/deep.txt/x\n',
    ],
  ])('keeps the last state of one in which a tracked folder is %s', async (_, replace, listed) => {
    const {state, made, git: run} = worktreeRepository();
    const record = await made();
    renameSync(join(record.folder, 'sub'), join(record.folder, 'elsewhere'));
    replace(record.folder);
    const losses = await lossesOf(record, state);
    const agreed = {uncommitted: losses.ok ? losses.value.uncommitted : [], commits: 0};
    expect(agreed.uncommitted).toContain('sub/deep.txt');
    expect(why(await removeWorktree(record, {state, agreed}))).toBe('done');
    const [{ref} = {ref: ''}] = readRemoved(state);
    expect(run('ls-tree', '-r', '--name-only', ref)).toBe(`.gitignore\na.txt\nb.txt\n${listed}`);
  });

  test('keeps a branch that is checked out elsewhere, and needs no yes if there is nothing to lose', async () => {
    const {state, made, git: run, write} = worktreeRepository();
    write({'a.txt': 'mine\n'});
    const record = await made();
    git(record.folder, 'checkout', '-q', '--detach');
    run('checkout', '-q', 'acp-tui/fix');
    const losses = await lossesOf(record, state);
    expect(losses).toMatchObject({ok: true, value: {sentence: undefined}});
    const nothing = {uncommitted: [], commits: 0};
    expect(why(await removeWorktree(record, {state, agreed: nothing}))).toBe('done');
    expect(run('branch', '--show-current')).toBe('acp-tui/fix\n');
    expect(run('log', '--format=%s')).toBe('first\n');
  });

  test('is not done by keeping it: the worktree is git’s then', async () => {
    const {state, made, git: run} = worktreeRepository();
    const record = await made();
    expect(why(await releaseWorktree(record, {state}))).toBe('done');
    expect(readRecords(state)).toEqual([]);
    expect(run('worktree', 'list', '--porcelain')).not.toContain('locked');
    expect(existsSync(record.folder)).toBe(true);
  });
});

describe('after a kill', () => {
  const killed = (step: string) => (at: string) => {
    if (at === step) throw new Error('killed');
  };
  const ENDED = {pid: 4_194_303, started: '1'};

  /** Does something until a step, and leaves what a killed process would. */
  async function kill({state}: WorktreeRepository, work: () => Promise<unknown>): Promise<readonly string[]> {
    await expect(work()).rejects.toThrow('killed');
    const file = join(state, 'worktrees/fix/worktree.json');
    const record = readRecord(state, 'fix') as WorktreeRecord;
    writeFileSync(file, JSON.stringify({...record, owner: ENDED}));
    return tidyWorktrees(state, Date.now());
  }

  test('what was created in part stays until it is removed after a yes', async () => {
    const repository = worktreeRepository();
    const {state, made, git: run} = repository;
    const record = await made();
    writeRecord(state, record, {step: {kind: 'creating'}, base: undefined});
    writeFiles(record.folder, {'later.txt': 'mine\n'});
    const told = await kill(repository, () => Promise.reject(new Error('killed')));
    expect(told).toEqual([
      'Creating the worktree fix was interrupted: what there is of it stays, and acp-tui worktrees remove fix removes it.',
    ]);
    expect(existsSync(join(record.folder, 'later.txt'))).toBe(true);
    const losses = await lossesOf(storedRecord(repository), state);
    const {sentence, ...agreed} = (losses as Extract<typeof losses, {ok: true}>).value;
    expect(sentence).toBe('It was not created completely, so what was changed in it is unknown.');
    expect(why(await removeWorktree(storedRecord(repository), {state, agreed}))).toBe('done');
    expect([existsSync(record.folder), run('branch', '--list', 'acp-tui/*')]).toEqual([false, '']);
  });

  test('applying is finished, killed before that is stored', async () => {
    const repository = worktreeRepository();
    const {state, made, read} = repository;
    const record = await made();
    writeFiles(record.folder, {'new.txt': 'agent\n'});
    const told = await kill(repository, () => applyWorktree(record, {state, onStep: killed('applied')}));
    expect(told).toEqual(['Applying the worktree fix was interrupted: it is finished now.']);
    expect(read('new.txt')).toBe('agent\n');
    expect(why(await applyWorktree(storedRecord(repository), {state}))).toBe(
      'it has no changes that are not in its source',
    );
  });

  test('applying that an earlier version began is given up, and can be done again', async () => {
    const repository = worktreeRepository();
    const {state, made, read} = repository;
    const record = await made();
    writeFiles(record.folder, {'new.txt': 'agent\n'});
    const begun = {...record, step: {kind: 'applying', to: record.base}, owner: ENDED};
    writeFileSync(join(state, 'worktrees/fix/worktree.json'), JSON.stringify(begun));
    expect(await tidyWorktrees(state, Date.now())).toEqual([
      'Applying the worktree fix was interrupted: git status in its source shows what was changed.',
    ]);
    expect(why(await applyWorktree(storedRecord(repository), {state}))).toBe('done');
    expect(read('new.txt')).toBe('agent\n');
  });

  test.each(['merge files', 'merge index'])('merging is finished, killed at "%s"', async (step) => {
    const repository = worktreeRepository();
    const {state, made, read, git: run} = repository;
    const record = await made();
    writeFiles(record.folder, {'a.txt': 'agent\n'});
    git(record.folder, 'commit', '-qam', 'agent');
    const told = await kill(repository, () => mergeWorktree(record, {state, onStep: killed(step)}));
    expect(told).toEqual(['Merging the worktree fix was interrupted: it is finished now.']);
    expect([read('a.txt'), run('status', '--porcelain'), run('log', '-1', '--format=%s')]).toEqual([
      'agent\n',
      '',
      'agent\n',
    ]);
    const losses = await lossesOf(storedRecord(repository), state);
    expect(losses).toMatchObject({ok: true, value: {commits: 0, uncommitted: []}});
  });

  test('merging is given up if the branch has moved meanwhile', async () => {
    const repository = worktreeRepository();
    const {state, made, git: run} = repository;
    const record = await made();
    writeFiles(record.folder, {'a.txt': 'agent\n'});
    git(record.folder, 'commit', '-qam', 'agent');
    const onStep = (at: string) => {
      if (at === 'merge files') run('commit', '-q', '--allow-empty', '-m', 'mine');
      killed('merge files')(at);
    };
    expect(await kill(repository, () => mergeWorktree(record, {state, onStep}))).toEqual([
      'Merging the worktree fix was interrupted, and cannot be finished: main has moved meanwhile',
    ]);
    expect(await tidyWorktrees(state, Date.now())).toEqual([]);
  });

  test('removing is not begun again while the folder is there, with what was done in it since', async () => {
    const repository = worktreeRepository();
    const {state, made} = repository;
    const record = await made();
    writeFiles(record.folder, {'new.txt': 'agent\n'});
    const agreed = {uncommitted: ['new.txt'], commits: 0};
    const told = await kill(repository, () =>
      removeWorktree(record, {state, agreed, onStep: killed('discard')}),
    );
    expect(told).toEqual(['Removing the worktree fix was interrupted: it stays.']);
    writeFiles(record.folder, {'later.txt': 'agent\n'});
    expect(await tidyWorktrees(state, Date.now())).toEqual([]);
    const losses = await lossesOf(storedRecord(repository), state);
    expect(losses).toMatchObject({ok: true, value: {uncommitted: ['later.txt', 'new.txt']}});
    expect(readRemoved(state)).toHaveLength(1);
  });

  test('removing is finished once the folder was moved away', async () => {
    const repository = worktreeRepository();
    const {state, made, git: run} = repository;
    const record = await made();
    const moved = join(dirname(record.folder), '.removed-fix');
    const told = await kill(repository, async () => {
      writeRecord(state, record, {step: {kind: 'removing', tip: record.head}});
      renameSync(record.folder, moved);
      throw new Error('killed');
    });
    expect(told).toEqual(['Removing the worktree fix was interrupted: it is removed now.']);
    expect([existsSync(moved), run('branch', '--list', 'acp-tui/*'), readRecords(state)]).toEqual([
      false,
      '',
      [],
    ]);
  });
});

test('nothing is begun while another process does something with a worktree', async () => {
  const repository = worktreeRepository();
  const {state, made} = repository;
  const record = await made();
  writeFiles(record.folder, {'a.txt': 'agent\n'});
  const [, ofParent = ''] = readFileSync(`/proc/${process.ppid}/stat`, 'latin1').split(') ');
  const owner = {pid: process.ppid, started: ofParent.split(' ')[19]};
  const busy = {...record, step: {kind: 'applying', to: record.base, steps: []}, owner};
  writeFileSync(join(state, 'worktrees/fix/worktree.json'), JSON.stringify(busy));
  const reason = `process ${process.ppid} is applying it`;
  const agreed = {uncommitted: ['a.txt'], commits: 0};
  expect(why(await applyWorktree(record, {state}))).toBe(reason);
  expect(why(await removeWorktree(record, {state, agreed}))).toBe(reason);
  expect(why(await releaseWorktree(record, {state}))).toBe(reason);
  expect(existsSync(record.folder)).toBe(true);
});
