import {join} from 'node:path';
import type {LineCounts} from '../session/line-counts.ts';
import type {UndoneFile} from '../session/transcript/diffs.ts';
import {escapeHiddenFile, escapeHiddenLine} from '../text/hidden.ts';
import {compareSnapshots, patchesBetween, readFacts, type Difference} from './differences.ts';
import {absenceIn, UNCOVERED_REASONS} from './facts.ts';
import {diffTree, textOf, type RawPath, type SnapshotRepository} from './repository.ts';
import {planRestore, restore, restoreSteps, type RestoredFile} from './restore.ts';
import type {RestoreStep} from './restore-journal.ts';
import {listSnapshots, turnBetween, type StoredSnapshot} from './snapshot-log.ts';

/** The ids of two snapshots. */
export interface RestoreRange {
  /** The current or previous state of the folder. */
  readonly from: string;
  /** The one to restore. */
  readonly to: string;
}

/** What restoring a snapshot would do, without files that need no change. */
export interface RestorePlan {
  readonly files: readonly UndoneFile[];
  readonly uncovered: readonly {readonly path: string; readonly reason: string}[];
}

/** Returns what restoring a snapshot would do to a folder, with a preview of each file, without changing anything. */
export async function planRange(repository: SnapshotRepository, range: RestoreRange): Promise<RestorePlan> {
  const {difference, steps} = await stepsTo(repository, range);
  const patches = await previewsOf(repository, {...range, ...difference});
  const planned = await planRestore(repository, steps);
  const files = undoneFiles(repository, planned, patches);
  const uncovered = Array.from(difference.uncovered, ([path, reason]) => ({
    path: escapeHiddenLine(textOf(path)),
    reason: UNCOVERED_REASONS[reason],
  }));
  return {files, uncovered};
}

async function stepsTo(
  repository: SnapshotRepository,
  range: RestoreRange,
): Promise<{readonly difference: Difference; readonly steps: readonly RestoreStep[]}> {
  const [difference, stored] = await Promise.all([
    compareSnapshots(repository, {...range, wanted: 'to'}),
    listSnapshots(repository),
  ]);
  // The folder had the same files each time.
  const newest = stored.findLast(({id}) => id === range.to);
  return {difference, steps: restoreSteps(difference, newest?.at)};
}

/** Too much to read is no reason not to restore it. */
async function previewsOf(
  repository: SnapshotRepository,
  range: RestoreRange & Pick<Difference, 'entries'>,
): Promise<ReadonlyMap<RawPath, string>> {
  return patchesBetween(repository, range).catch(() => new Map());
}

/** Restores a snapshot from the state `from`; returns the outcomes. `only` limits it to some files, by path. */
export async function restoreRange(
  repository: SnapshotRepository,
  range: RestoreRange,
  only?: readonly string[],
): Promise<readonly UndoneFile[]> {
  const {steps} = await stepsTo(repository, range);
  const wanted = only && new Set(only);
  const isWanted = ({path}: RestoreStep) => !wanted || wanted.has(absolute(repository, path));
  return undoneFiles(repository, await restore(repository, steps.filter(isWanted)));
}

function undoneFiles(
  repository: SnapshotRepository,
  files: readonly RestoredFile[],
  patches: ReadonlyMap<RawPath, string> = new Map(),
): readonly UndoneFile[] {
  return files.map(({path, does, refused}) => {
    const patch = patches.get(path);
    const preview = patch === undefined ? {} : {preview: previewOf(patch)};
    return {path: absolute(repository, path), does, ...preview, ...(refused !== undefined && {refused})};
  });
}

function absolute({folder}: SnapshotRepository, path: RawPath): string {
  return join(folder, textOf(path));
}

/** Maximum length of a preview, in characters. */
const MAX_PREVIEW = 4000;

/** Returns the changed lines, from the first hunk on. */
function previewOf(patch: string): string {
  const hunks = patch.slice(Math.max(0, patch.search(/(?<![^\n])(?:@@|Binary)/)));
  const text = hunks.startsWith('Binary') ? 'Binary file' : Buffer.from(hunks, 'latin1').toString('utf8');
  return escapeHiddenFile(text.slice(0, MAX_PREVIEW));
}

/**
 * Returns the absolute paths of files that changed outside of a session's turns since one of its snapshots. Both are ids; `now` is that of the current folder.
 */
export async function changedOutsideTurns(
  repository: SnapshotRepository,
  since: string,
  now: string,
): Promise<ReadonlySet<string>> {
  const all = await listSnapshots(repository);
  const first = all.findLast(({id}) => id === since);
  const stored = first ? all.filter(({session, at}) => session === first.session && at >= first.at) : [];
  // What changed after restoring a snapshot that was saved first.
  const ranges = stored.flatMap((snapshot, index): RestoreRange[] => {
    const {when, id} = snapshot;
    const next = stored[index + 1];
    const isOutside = when === 'after' && turnBetween(snapshot, next) === undefined;
    const to = next?.id ?? now;
    return isOutside && to !== id ? [{from: id, to}] : [];
  });
  const paths = await changedPaths(repository, ranges);
  return new Set(paths.flat().map((path) => absolute(repository, path)));
}

/**
 * Returns the absolute paths of files that two snapshots have differently, and of those that one of them does not cover, such as ignored ones and credentials:
 * what these were is unknown. A folder that it does not cover ends with a `/`. True if it was not there before.
 */
export async function changedFiles(
  repository: SnapshotRepository,
  {from, to}: RestoreRange,
): Promise<ReadonlyMap<string, boolean>> {
  const [before, after, {files, uncovered}] = await Promise.all([
    readFacts(repository, from),
    readFacts(repository, to),
    compareSnapshots(repository, {from, to}),
  ]);
  const {reasonOf} = absenceIn(before);
  const isNew = (path: RawPath) => before.uncovered[path] === undefined && reasonOf(path) === undefined;
  return new Map([
    ...[...uncovered.keys(), ...(after.others ?? [])].map((path): [string, boolean] => [
      absolute(repository, path),
      isNew(path),
    ]),
    ...files.flatMap(({before: old, after: now}): [string, boolean][] =>
      now ? [[absolute(repository, now.path), old?.path !== now.path]] : [],
    ),
  ]);
}

/** Returns the paths of files that two snapshots have differently, without renames, for each pair of them. */
export async function changedPaths(
  repository: SnapshotRepository,
  ranges: readonly RestoreRange[],
): Promise<readonly (readonly RawPath[])[]> {
  if (ranges.length === 0) return [];
  const args = ['-r', '-z', '--raw', '--stdin', '--', 'files'];
  const printed = (await diffTree(repository, args, {input: inputOf(ranges)})).toString('latin1');
  const found: RawPath[][] = [];
  for (let at = 0; at < printed.length;) {
    const isEntry = printed.startsWith(':', at);
    // Each pair begins with a line of its own.
    const end = isEntry ? printed.indexOf('\0', at) : printed.indexOf('\n', at);
    at = end + 1;
    if (!isEntry) {
      found.push([]);
      continue;
    }
    const pathEnd = printed.indexOf('\0', at);
    found.at(-1)?.push(printed.slice(at + 'files/'.length, pathEnd));
    at = pathEnd + 1;
  }
  return found;
}

/** Snapshots to compare by `git diff-tree --stdin`. */
function inputOf(ranges: readonly RestoreRange[]): string {
  return ranges.map(({from, to}) => `${from} ${to}\n`).join('');
}

/** A snapshot before a prompt or a restore, and the changes of its turn, if covered. */
export interface SnapshotPoint {
  readonly snapshot: StoredSnapshot;
  readonly changed: LineCounts | undefined;
}

/** Number of turns with counts. */
const MAX_COUNTED = 50;

/** Returns the snapshots to rewind to, newest first, with the changes of the newest turns. */
export async function listPoints(repository: SnapshotRepository): Promise<readonly SnapshotPoint[]> {
  const stored = (await listSnapshots(repository)).toReversed();
  const points = stored
    .filter(({when}) => when !== 'after')
    .map((snapshot, index) => {
      if (snapshot.when !== 'before' || index >= MAX_COUNTED) return {snapshot, range: undefined};
      const after = stored.findLast(
        ({session, turn, when, at}) =>
          session === snapshot.session && turn === snapshot.turn && when === 'after' && at >= snapshot.at,
      );
      return {snapshot, range: after && {from: snapshot.id, to: after.id}};
    });
  const counts = (
    await countChanges(
      repository,
      points.flatMap(({range}) => range ?? []),
    )
  ).values();
  return points.map(({snapshot, range}) => ({snapshot, changed: range && counts.next().value}));
}

/** Counts the differences between two snapshots, for each pair of them. */
export async function countChanges(
  repository: SnapshotRepository,
  ranges: readonly RestoreRange[],
): Promise<readonly LineCounts[]> {
  if (ranges.every(({from, to}) => from === to)) return ranges.map(() => ({files: 0, added: 0, removed: 0}));
  const args = ['-r', '-M', '--no-ext-diff', '--no-textconv', '--shortstat', '--stdin', '--', 'files'];
  const printed = await diffTree(repository, args, {input: inputOf(ranges)});
  // Each pair begins with a line of its own.
  const [, ...pairs] = printed.toString('latin1').split(/(?<![^\n])[0-9a-f]{40} [0-9a-f]{40}\n/);
  return pairs.map((text) => {
    const count = (unit: RegExp) => Number(unit.exec(text)?.[1] ?? 0);
    return {files: count(/(\d+) file/), added: count(/(\d+) insertion/), removed: count(/(\d+) deletion/)};
  });
}
