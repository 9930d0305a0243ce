import {existsSync, renameSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {gitAnswer} from './worktree-git.ts';
import {forgetRecord, type WorktreeRecord} from './worktree-record.ts';

/** Removes all that there is of a worktree: its folder, what git knows of it, its branch while that is at `tip` and checked out nowhere else, and the record of it. */
export async function discard(state: string, record: WorktreeRecord, tip = record.head): Promise<void> {
  const {folder, common, branch, name} = record;
  const removed = join(dirname(folder), `.removed-${name}`);
  rmSync(removed, {recursive: true, force: true});
  // In one step: if it is interrupted, nobody works in half a folder.
  if (existsSync(folder)) renameSync(folder, removed);
  rmSync(removed, {recursive: true, force: true});
  const place = {folder: existsSync(common) ? common : '/', gitDir: common};
  // Twice, since it is locked. Without its folder, git looks at nothing but its own notes.
  await gitAnswer(place, ['worktree', 'remove', '--force', '--force', folder]);
  const others = await gitAnswer(place, ['worktree', 'list', '--porcelain']);
  const isElsewhere = others?.split('\n').includes(`branch refs/heads/${branch}`) ?? true;
  if (!isElsewhere) await gitAnswer(place, ['update-ref', '-d', `refs/heads/${branch}`, tip]);
  forgetRecord(state, name);
}
