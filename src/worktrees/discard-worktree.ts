import {existsSync, renameSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {gitAnswer} from './worktree-git.ts';
import {forgetRecord, type WorktreeRecord} from './worktree-record.ts';

/**
 * Removes all that there is of a worktree: its folder, what git knows of it, its branch while that is at `tip` and checked out nowhere else, and the record of
 * it. Returns a sentence if some of its files cannot be deleted, after a blank.
 */
export async function discard(state: string, record: WorktreeRecord, tip = record.head): Promise<string> {
  const {folder, common, branch, name} = record;
  const usual = join(dirname(folder), `.removed-${name}`);
  const removed = (await isDeleted(usual)) ? usual : `${usual}-${Date.now()}`;
  // In one step: if it is interrupted, nobody works in half a folder.
  if (existsSync(folder)) renameSync(folder, removed);
  const left = !(await isDeleted(removed)) ? removed : (await isDeleted(usual)) ? undefined : usual;
  const place = {folder: existsSync(common) ? common : '/', gitDir: common};
  // Twice, since it is locked. Without its folder, git looks at nothing but its own notes.
  await gitAnswer(place, ['worktree', 'remove', '--force', '--force', folder]);
  const others = await gitAnswer(place, ['worktree', 'list', '--porcelain']);
  const isElsewhere = others?.split('\n').includes(`branch refs/heads/${branch}`) ?? true;
  if (!isElsewhere) await gitAnswer(place, ['update-ref', '-d', `refs/heads/${branch}`, tip]);
  forgetRecord(state, name);
  return left === undefined ? '' : ` Not all of its files could be deleted: ${left}.`;
}

/** Deletes a folder, which may take minutes; false if something in it cannot be deleted, such as files of another user. */
function isDeleted(folder: string): Promise<boolean> {
  return rm(folder, {recursive: true, force: true}).then(
    () => true,
    () => false,
  );
}
