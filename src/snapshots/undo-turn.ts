import type {UndoneFile, UndoPlan} from '../session/transcript/diffs.ts';
import type {SnapshotRepository} from './repository.ts';
import {planRange, restoreRange, type RestoreRange} from './rewind.ts';
import {listSnapshots, type StoredSnapshot} from './snapshot-log.ts';

/** A turn covered from its prompt to its end. */
interface CoveredTurn {
  readonly before: StoredSnapshot;
  readonly after: StoredSnapshot;
}

/**
 * Returns what undoing a turn would do: the newest one with at least one file that can be restored, otherwise the newest with changes. Undefined if there is
 * none.
 */
export async function planUndo(
  repository: SnapshotRepository,
  session: string,
): Promise<UndoPlan | undefined> {
  let newest: UndoPlan | undefined;
  for (const covered of (await coveredTurns(repository, session)).toReversed()) {
    const {files, uncovered} = await planRange(repository, backOver(covered));
    if (files.length === 0) continue;
    const plan = {turn: covered.before.turn, files, uncovered};
    if (files.some(({refused}) => refused === undefined)) return plan;
    newest ??= plan;
  }
  return newest;
}

/** Restores the files that changed in a turn, or only some of them, by path; returns the outcomes. */
export async function undoTurn(
  repository: SnapshotRepository,
  {session, turn}: {readonly session: string; readonly turn: number},
  only?: readonly string[],
): Promise<readonly UndoneFile[]> {
  const covered = (await coveredTurns(repository, session)).findLast(({before}) => before.turn === turn);
  return covered ? restoreRange(repository, backOver(covered), only) : [];
}

async function coveredTurns(
  repository: SnapshotRepository,
  session: string,
): Promise<readonly CoveredTurn[]> {
  const snapshots = (await listSnapshots(repository, session)).filter(({when}) => when !== 'saved');
  return snapshots.flatMap((before, index): CoveredTurn[] => {
    const after = snapshots[index + 1];
    const isEnd = after?.turn === before.turn && after.when === 'after' && after.id !== before.id;
    return before.when === 'before' && isEnd ? [{before, after}] : [];
  });
}

function backOver({before, after}: CoveredTurn): RestoreRange {
  return {from: after.id, to: before.id};
}
