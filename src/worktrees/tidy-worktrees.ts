import {existsSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {errorMessage} from '../shared/failure.ts';
import {namesIn} from '../shared/files/safe-files.ts';
import type {RestoreStep} from '../snapshots/restore-journal.ts';
import {finishRestore, planRestore} from '../snapshots/restore.ts';
import {discard} from './discard-worktree.ts';
import {finishMerge} from './merge-worktree.ts';
import {pruneRemoved} from './removed-worktrees.ts';
import {
  forgetRecord,
  isInterrupted,
  readRecords,
  recordsFolder,
  sourceSnapshots,
  writeRecord,
  type WorktreeRecord,
} from './worktree-record.ts';

/** A name that is reserved for longer than this without more belongs to a process that was killed, in milliseconds. */
const ABANDONED_MS = 60_000;

/**
 * Finishes or undoes what killed processes have begun with worktrees, and removes references that are kept for long enough. Returns what it has done, in
 * sentences.
 */
export async function tidyWorktrees(state: string, now: number): Promise<readonly string[]> {
  const folder = recordsFolder(state);
  for (const name of namesIn(folder)) {
    const isOld = now - statSync(join(folder, name)).mtimeMs > ABANDONED_MS;
    if (isOld && !existsSync(join(folder, name, 'worktree.json'))) forgetRecord(state, name);
  }
  const sentences: string[] = [];
  for (const record of readRecords(state).filter(isInterrupted)) {
    try {
      sentences.push(await tidy(state, record));
    } catch (error) {
      sentences.push(`${interruption(record)}, and cannot be finished: ${errorMessage(error)}`);
    }
  }
  await pruneRemoved(state, now);
  return sentences;
}

const DOING: Readonly<Record<WorktreeRecord['step']['kind'], string>> = {
  creating: 'Creating',
  ready: 'Using',
  applying: 'Applying',
  merging: 'Merging',
  removing: 'Removing',
  releasing: 'Keeping',
};

function interruption({step, name}: WorktreeRecord): string {
  return `${DOING[step.kind]} the worktree ${name} was interrupted`;
}

async function tidy(state: string, record: WorktreeRecord): Promise<string> {
  const {step, name} = record;
  const began = interruption(record);
  switch (step.kind) {
    case 'creating':
      // Someone may have worked in it since.
      if (existsSync(record.folder))
        return `${began}: what there is of it stays, and acp-tui worktrees remove ${name} removes it.`;
      return `${began}: what there was of it is removed.${await discard(state, record)} Its source is as it was.`;
    case 'applying':
    case 'merging': {
      const {steps} = step;
      const left = await finishFiles(state, record, steps ?? []);
      const isDone = steps !== undefined && left === 0;
      if (isDone && step.kind === 'merging') await finishMerge(record, {state});
      else writeRecord(state, record, {...(isDone && {base: step.to}), step: {kind: 'ready'}});
      return `${began}: ${outcome(left, steps)}`;
    }
    case 'removing':
      // It may have been worked in since.
      if (existsSync(record.folder)) {
        writeRecord(state, record, {step: {kind: 'ready'}});
        return `${began}: it stays.`;
      }
      return `${began}: it is removed now.${await discard(state, record, step.tip)}`;
    case 'releasing':
      forgetRecord(state, name);
      return `${began}: it stays.`;
    case 'ready':
      return '';
  }
}

function outcome(left: number, steps: readonly RestoreStep[] | undefined): string {
  if (!steps) return 'git status in its source shows what was changed.';
  if (left === 0) return 'it is finished now.';
  return left === steps.length
    ? 'nothing was changed.'
    : 'not all of it is in the source, where git status shows what is.';
}

/** Finishes writing files in the source, if that was begun; returns how many are not there. */
async function finishFiles(
  state: string,
  record: WorktreeRecord,
  steps: readonly RestoreStep[],
): Promise<number> {
  const repository = sourceSnapshots(state, record);
  await finishRestore(repository);
  return (await planRestore(repository, steps)).length;
}
