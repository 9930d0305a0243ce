import type {ReviewedFile} from '../../session/review.ts';
import type {RawPath, SnapshotRepository} from '../repository.ts';
import {changedPaths} from '../rewind.ts';
import type {StoredSnapshot} from '../snapshot-log.ts';

type ChangedIn = NonNullable<ReviewedFile['changedIn']>;

/** For older turns, the author of a change is not determined. */
const MAX_RANGES = 60;

/**
 * Returns in which turns each file changed, or that it changed between turns. `snapshots` are those of a session in order; `now` is the id of
 * one of the folder as it is.
 */
export async function changedIn(
  repository: SnapshotRepository,
  snapshots: readonly StoredSnapshot[],
  now: string,
): Promise<ReadonlyMap<RawPath, ChangedIn>> {
  const ranges = snapshots.flatMap(({id, turn, when}, index) => {
    const next = snapshots[index + 1];
    const to = next?.id ?? now;
    // What changed after one that was saved was restored.
    if (to === id || when === 'saved') return [];
    return [{from: id, to, where: when === 'before' ? turn : ('outside' as const)}];
  });
  const found = new Map<RawPath, Set<number | 'outside'>>();
  const read = ranges.slice(-MAX_RANGES).map(async ({from, to, where}) => {
    for (const path of await changedPaths(repository, {from, to})) {
      const known = found.get(path) ?? new Set();
      found.set(path, known.add(where));
    }
  });
  await Promise.all(read);
  return new Map([...found].map(([path, where]) => [path, [...where]]));
}
