import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {writeFiles} from '../../../support/folders/snapshot-folder.ts';
import {worktreeRepository} from '../../../support/folders/worktree-repository.ts';
import {openWindowIn} from '../../conversation/open-window.ts';

test('a worktree is not removed, merged or kept while another session works in it, nor with more than was agreed to', async () => {
  const {state, made} = worktreeRepository();
  const {folder} = await made();
  const window = await openWindowIn({state}, 'echo');
  const {sessions, store} = window;
  const key = await window.openWith({cwd: folder}, 'echo');
  await window.converse(key, 'one');
  const other = await window.openWith({cwd: join(folder, 'sub')}, 'echo');
  await window.converse(other, 'two');
  const finish = (how: 'merge' | 'keep' | 'remove', agreed?: {uncommitted: string[]; commits: number}) =>
    sessions.perform({kind: 'finish_worktree', session: key, how, ...(agreed && {agreed})});
  for (const how of ['merge', 'keep', 'remove'] as const) {
    store.dispatch({type: 'toast_shown', text: how, until: performance.now() + 60_000});
    finish(how);
    await expect
      .poll(() => store.latest().toast?.text)
      .toBe('The worktree fix is in use: another session of this window works in it.');
  }
  expect(existsSync(folder)).toBe(true);
  await sessions.leave(other);
  writeFiles(folder, {'a.txt': 'agent\n', 'b.txt': 'agent\n'});
  finish('remove', {uncommitted: ['a.txt'], commits: 0});
  await expect
    .poll(() => store.latest().overlay)
    .toMatchObject({picker: {note: expect.stringContaining('a.txt, b.txt')}});
  expect(window.session(key)).toBeDefined();
  finish('remove', {uncommitted: ['a.txt', 'b.txt'], commits: 0});
  await expect.poll(() => existsSync(folder)).toBe(false);
  expect(window.session(key)).toBeUndefined();
});
