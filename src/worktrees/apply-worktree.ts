import type {Result} from '../shared/failure.ts';
import {isFolder} from '../shared/files/folders.ts';
import {pluralize} from '../text/format.ts';
import {pathOf} from '../snapshots/differences.ts';
import {mergeSteps} from '../snapshots/merge-steps.ts';
import {planRestore, restore, restoreSteps, type RestoredFile} from '../snapshots/restore.ts';
import type {RestoreStep} from '../snapshots/restore-journal.ts';
import {textOf, type RawPath, type SnapshotRepository} from '../snapshots/repository.ts';
import {namedFiles, refused} from './create-worktree.ts';
import {fileAt, lookAtWorktree} from './look-at-worktree.ts';
import {WorktreeProblem} from './worktree-git.ts';
import {beginStep, sourceSnapshots, stepFailed, writeRecord, type WorktreeRecord} from './worktree-record.ts';

export interface FinishOptions {
  /** acp-tui's state folder. */
  readonly state: string;
  /** Called before each step; throws in tests. */
  readonly onStep?: ((step: string) => void) | undefined;
}

/** What was done, in a sentence, and the files that changed in the source. */
export interface Finished {
  readonly sentence: string;
  readonly files: readonly RawPath[];
}

/**
 * Brings the changes of a worktree to its source, as changes that are not committed. What was changed there, too, is merged; none is brought over if that is not
 * possible for one of the files.
 */
export async function applyWorktree(
  record: WorktreeRecord,
  {state, onStep = () => {}}: FinishOptions,
): Promise<Result<Finished>> {
  let applying: WorktreeRecord | undefined;
  try {
    if (!(await isFolder(record.source))) throw new WorktreeProblem(`${record.source} is gone`);
    const {now, difference, uncovered} = await lookAtWorktree(state, record);
    const deleted = [...difference.uncovered.keys()].filter(
      (path) => fileAt(record.source, path) && !fileAt(record.folder, path),
    );
    const left = [...uncovered, ...deleted].sort();
    const brought = restoreSteps(difference);
    const files = difference.files.map(pathOf);
    if (brought.length === 0)
      throw new WorktreeProblem(
        left.length > 0
          ? `it has no changes that acp-tui can bring over; left out: ${namedFiles(left)}`
          : 'it has no changes that are not in its source',
      );
    const source = sourceSnapshots(state, record);
    const changed = new Set((await changedSince(source, brought)).map(({path}) => path));
    const {steps, merged} = await mergeSteps(source, brought, changed);
    if (changed.size > 0) await refuseChanged(state, record, steps);
    onStep('apply');
    applying = beginStep(state, record, {kind: 'applying', to: now, steps: [...steps]});
    const done = await restore(source, steps);
    onStep('applied');
    const failed = done.filter((file) => file.refused !== undefined);
    writeRecord(state, applying, {...(failed.length === 0 && {base: now}), step: {kind: 'ready'}});
    if (failed.length > 0) throw new WorktreeProblem(`some files were left unchanged: ${reasonsOf(failed)}`);
    const without = left.length > 0 ? ` Not brought over: ${namedFiles(left)}.` : '';
    const both = merged.length > 0 ? ` Merged with changes made there: ${namedFiles(merged)}.` : '';
    const sentence = `Applied ${pluralize(files.length, 'file')} to ${record.source}: ${namedFiles(files)}.${both}${without}`;
    return {ok: true, value: {sentence, files}};
  } catch (error) {
    return stepFailed(state, applying, refused(error, `apply the worktree ${record.name}`));
  }
}

/** Throws if a file is not as the worktree has it from its source. */
export async function refuseChanged(
  state: string,
  record: WorktreeRecord,
  steps: readonly RestoreStep[],
): Promise<void> {
  const changed = await changedSince(sourceSnapshots(state, record), steps);
  if (changed.length > 0) throw new WorktreeProblem(`in ${record.source}, ${reasonsOf(changed)}`);
}

async function changedSince(
  source: SnapshotRepository,
  steps: readonly RestoreStep[],
): Promise<readonly RestoredFile[]> {
  return (await planRestore(source, steps)).filter((file) => file.refused !== undefined);
}

export function reasonsOf(files: readonly RestoredFile[]): string {
  const shown = files.slice(0, 5).map(({path, refused: why}) => `${textOf(path)}: ${why ?? ''}`);
  return [...shown, ...(files.length > 5 ? [`${files.length - 5} more`] : [])].join('; ');
}
