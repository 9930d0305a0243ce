import type {UndoneFile, UndoPlan} from '../session/transcript/diffs.ts';
import type {SnapshotRepository} from './repository.ts';
import {planRange, restoreRange, type RestoreRange} from './rewind.ts';
import {
  listSnapshots,
  turnsWithoutSnapshot,
  uncoveredTurns,
  type SnapshotRecord,
  type StoredSnapshot,
  type TurnRange,
} from './snapshot-log.ts';

/** A turn covered from its prompt to its end. */
interface CoveredTurn {
  readonly before: StoredSnapshot;
  readonly after: StoredSnapshot;
}

/**
 * Returns what undoing a turn would do: the newest one with at least one file that can be restored, otherwise the newest with changes; newer turns without a
 * snapshot are named. Without such a turn, a plan without files names them; undefined if there are none.
 */
export async function planUndo(
  repository: SnapshotRepository,
  {session, ...turns}: TurnRange & Pick<SnapshotRecord, 'session'>,
): Promise<UndoPlan | undefined> {
  let newest: UndoPlan | undefined;
  const snapshots = await listSnapshots(repository, session);
  const missing = turnsWithoutSnapshot(snapshots, turns);
  for (const covered of coveredTurns(snapshots).toReversed()) {
    const {files, uncovered} = await planRange(repository, backOver(covered));
    if (files.length === 0) continue;
    const {turn} = covered.before;
    const newer = uncoveredTurns(missing.filter((each) => each > turn));
    const plan = {turn, files, uncovered: [...newer, ...uncovered]};
    if (files.some(({refused}) => refused === undefined)) return plan;
    newest ??= plan;
  }
  if (newest || missing.length === 0) return newest;
  return {turn: 0, files: [], uncovered: uncoveredTurns(missing)};
}

/** Restores the files that changed in a turn, or only some of them, by path; returns the outcomes. */
export async function undoTurn(
  repository: SnapshotRepository,
  {session, turn}: {readonly session: string; readonly turn: number},
  only?: readonly string[],
): Promise<readonly UndoneFile[]> {
  const snapshots = await listSnapshots(repository, session);
  const covered = coveredTurns(snapshots).findLast(({before}) => before.turn === turn);
  return covered ? restoreRange(repository, backOver(covered), only) : [];
}

function coveredTurns(all: readonly StoredSnapshot[]): readonly CoveredTurn[] {
  const snapshots = all.filter(({when}) => when !== 'saved');
  return snapshots.flatMap((before, index): CoveredTurn[] => {
    const after = snapshots[index + 1];
    const isEnd = after?.turn === before.turn && after.when === 'after' && after.id !== before.id;
    return before.when === 'before' && isEnd ? [{before, after}] : [];
  });
}

function backOver({before, after}: CoveredTurn): RestoreRange {
  return {from: after.id, to: before.id};
}
