import {join} from 'node:path';
import type {UndoneFile, UndoPlan} from '../session/transcript/diffs.ts';
import {compareSnapshots} from './differences.ts';
import {textOf, type SnapshotRepository} from './repository.ts';
import type {RestoreStep} from './restore-journal.ts';
import {planRestore, restore, stepsOf, type RestoredFile} from './restore.ts';
import {listSnapshots} from './snapshot-log.ts';

/** A turn that is covered from its prompt to its end, by the ids of its snapshots. */
interface CoveredTurn {
  readonly turn: number;
  readonly before: string;
  readonly after: string;
}

/**
 * Says what undoing a turn would do: the newest one of which at least one file can be restored, otherwise the newest with
 * changes. Undefined where there is none.
 */
export async function planUndo(
  repository: SnapshotRepository,
  session: string,
): Promise<UndoPlan | undefined> {
  let newest: UndoPlan | undefined;
  for (const covered of (await coveredTurns(repository, session)).toReversed()) {
    const files = await planRestore(repository, await stepsBack(repository, covered));
    if (files.length === 0) continue;
    const plan = {turn: covered.turn, files: undone(repository, files)};
    if (files.some(({refused}) => refused === undefined)) return plan;
    newest ??= plan;
  }
  return newest;
}

/** Restores the files that changed in a turn; says what became of each. */
export async function undoTurn(
  repository: SnapshotRepository,
  {session, turn}: {readonly session: string; readonly turn: number},
): Promise<readonly UndoneFile[]> {
  const covered = (await coveredTurns(repository, session)).findLast((each) => each.turn === turn);
  return covered ? undone(repository, await restore(repository, await stepsBack(repository, covered))) : [];
}

async function coveredTurns(
  repository: SnapshotRepository,
  session: string,
): Promise<readonly CoveredTurn[]> {
  const snapshots = (await listSnapshots(repository, session)).filter(({when}) => when !== 'saved');
  return snapshots.flatMap(({turn, when, id}, index): CoveredTurn[] => {
    const next = snapshots[index + 1];
    const isCovered = when === 'before' && next?.turn === turn && next.when === 'after' && next.id !== id;
    return isCovered ? [{turn, before: id, after: next.id}] : [];
  });
}

async function stepsBack(
  repository: SnapshotRepository,
  {before, after}: CoveredTurn,
): Promise<readonly RestoreStep[]> {
  return stepsOf(await compareSnapshots(repository, {from: after, to: before}));
}

function undone({folder}: SnapshotRepository, files: readonly RestoredFile[]): readonly UndoneFile[] {
  return files.map(({path, does, refused}) => ({
    path: join(folder, textOf(path)),
    does,
    ...(refused !== undefined && {refused}),
  }));
}
