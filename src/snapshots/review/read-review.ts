import {createHash} from 'node:crypto';
import type {Review, ReviewedFile, ReviewHunk, ReviewRange} from '../../session/review.ts';
import {escapeHiddenFile, escapeHiddenLine} from '../../text/hidden.ts';
import {
  compareSnapshots,
  hunksIn,
  modeChange,
  patchesBetween,
  pathOf,
  statusOf,
  type Difference,
  type FileDifference,
  type Hunk,
} from '../differences.ts';
import {UNCOVERED_REASONS} from '../facts.ts';
import {SnapshotProblem, textOf, type RawPath, type SnapshotRepository} from '../repository.ts';
import {changedPaths} from '../rewind.ts';
import {
  listStored,
  turnBetween,
  turnsWithoutSnapshot,
  type TurnRange,
  uncoveredTurns,
  type StoredSnapshot,
} from '../snapshot-log.ts';
import {takeSnapshot} from '../take/take-snapshot.ts';

/** The snapshots that a review compares: changes between the first two are shown as accepted. */
interface ReviewPoints {
  readonly origin: string;
  readonly base: string;
  readonly now: string;
}

/** With the snapshots of the session in between. */
interface ReadPoints extends ReviewPoints {
  readonly snapshots: readonly StoredSnapshot[];
}

/** A change that is not accepted. */
interface OpenChange {
  readonly file: FileDifference;
  /** Hunks that can be accepted or reverted separately, by id. */
  readonly hunks: ReadonlyMap<string, Hunk>;
}

/** A review with the data for changing it. */
export interface ReadReview extends ReviewPoints {
  readonly review: Omit<Review, 'id' | 'comments'>;
  /** By file id. */
  readonly open: ReadonlyMap<string, OpenChange>;
}

interface ReadOptions extends TurnRange {
  /** The agent's id. */
  readonly session: string;
  readonly range: ReviewRange;
  /** Base of the changes since the last review, when they were first read. */
  readonly origin: string | undefined;
}

/** Reads the changes of a range, taking a new snapshot of the folder; throws a SnapshotProblem. */
export async function readReview(repository: SnapshotRepository, options: ReadOptions): Promise<ReadReview> {
  const {session, range} = options;
  const stored = await listStored(repository, session);
  const {snapshots} = stored;
  const turns = [...new Set(snapshots.filter(({when}) => when === 'before').map(({turn}) => turn))];
  const points = await findPoints(repository, {...options, ...stored});
  const [open, accepted, where] = await Promise.all([
    readSide(repository, points.base, points.now),
    readSide(repository, points.origin, points.base),
    changedIn(repository, points, options.turn),
  ]);
  const files = joined(open, accepted).map((file) => withTurns(file, where));
  const missing = range.kind === 'turn' ? [] : turnsWithoutSnapshot(snapshots, options);
  const uncovered = [
    ...uncoveredTurns(missing),
    ...Array.from(open.uncovered, ([path, reason]) => ({
      path: escapeHiddenLine(textOf(path)),
      reason: UNCOVERED_REASONS[reason],
    })),
  ];
  return {...points, review: {range, turns, files, uncovered}, open: openChanges(open)};
}

function withTurns(file: ReviewedFile, where: ReadonlyMap<RawPath, ChangedIn>): ReviewedFile {
  return {...file, changedIn: where.get(file.id) ?? []};
}

type ChangedIn = NonNullable<ReviewedFile['changedIn']>;

/** For older turns, the author of a change is not determined. */
const MAX_RANGES = 60;

/** Returns in which turns each file changed, or that it changed between turns. `last` is the session's last turn. */
async function changedIn(
  repository: SnapshotRepository,
  {snapshots, now}: ReadPoints,
  last: number,
): Promise<ReadonlyMap<RawPath, ChangedIn>> {
  const ranges = snapshots.flatMap((snapshot, index) => {
    const {id, when} = snapshot;
    const next = snapshots[index + 1];
    const to = next?.id ?? now;
    const turn = turnBetween(snapshot, next, last);
    // What changed after one that was saved was restored.
    if (to === id || (when === 'saved' && turn === undefined)) return [];
    return [{from: id, to, where: turn ?? ('outside' as const)}];
  });
  const found = new Map<RawPath, Set<number | 'outside'>>();
  const newest = ranges.slice(-MAX_RANGES);
  const changed = await changedPaths(repository, newest);
  for (const [index, {where}] of newest.entries()) {
    for (const path of changed[index] ?? []) {
      const known = found.get(path) ?? new Set();
      found.set(path, known.add(where));
    }
  }
  return new Map([...found].map(([path, where]) => [path, [...where]]));
}

async function findPoints(
  repository: SnapshotRepository,
  {range, origin, snapshots, accepted}: ReadOptions & Awaited<ReturnType<typeof listStored>>,
): Promise<ReadPoints> {
  const isTurn = range.kind === 'turn';
  const index = isTurn
    ? snapshots.findLastIndex(({when, turn}) => when === 'before' && turn === range.turn)
    : // Where the first turn is not covered, from its end on.
      snapshots.findIndex(({when}) => when !== 'saved');
  const first = snapshots[index]?.id;
  if (first === undefined)
    throw new SnapshotProblem(
      `no snapshot of ${isTurn ? `turn ${range.turn}` : 'a turn'} of this session yet`,
    );
  const end = isTurn ? snapshots.slice(index + 1).find(({when}) => when !== 'saved')?.id : undefined;
  const now = end ?? (await takeSnapshot(repository));
  const base = (isTurn ? undefined : accepted.at(-1)?.id) ?? first;
  const inside = isTurn ? snapshots.slice(index, index + 1) : snapshots.slice(index);
  const start = range.kind === 'unreviewed' ? (origin ?? base) : first;
  return {origin: start, base, now, snapshots: inside};
}

/** Returns the changes that are not accepted, without their lines, as of the newest stored snapshot or a new one; undefined if there is none yet. */
export async function readUnreviewed(
  repository: SnapshotRepository,
  session: string,
  isFresh: boolean,
): Promise<readonly ReviewedFile[] | undefined> {
  const {snapshots, accepted} = await listStored(repository, session);
  const base = accepted.at(-1)?.id ?? snapshots.find(({when}) => when !== 'saved')?.id;
  const now = isFresh ? await takeSnapshot(repository) : snapshots.at(-1)?.id;
  if (base === undefined || now === undefined) return undefined;
  if (base === now) return [];
  const {files} = await compareSnapshots(repository, {from: base, to: now});
  return files.map((file) => reviewedFile(file, {isAccepted: false, hunks: []}));
}

interface Side extends Difference {
  /** By the file's current path, or its last one. */
  readonly hunks: ReadonlyMap<RawPath, readonly Hunk[]>;
}

const nothing: Side = {files: [], entries: [], uncovered: new Map(), hunks: new Map()};

/** Beyond this, files are listed without their lines. */
const MAX_LINES = 200_000;

async function readSide(repository: SnapshotRepository, from: string, to: string): Promise<Side> {
  if (from === to) return nothing;
  const difference = await compareSnapshots(repository, {from, to});
  const lines = difference.files.reduce((sum, file) => sum + sizeOf(file), 0);
  if (lines === 0 || lines > MAX_LINES) return {...difference, hunks: new Map()};
  const patches = await patchesBetween(repository, {from, to, ...difference}).catch(tooLong);
  const isRead = (file: FileDifference) =>
    statusOf(file) !== 'retyped' && sizeOf(file) <= MAX_LINES_OF_A_FILE;
  const hunks = difference.files.filter(isRead).map((file): readonly [RawPath, readonly Hunk[]] => {
    const patch = patches.get(pathOf(file)) ?? '';
    return [pathOf(file), patch.length > MAX_CHARACTERS ? [] : hunksIn(patch)];
  });
  return {...difference, hunks: new Map(hunks)};
}

/** Lines can be so long that git is stopped: files are listed without them, too. */
function tooLong(error: unknown): ReadonlyMap<RawPath, string> {
  if (error instanceof SnapshotProblem) return new Map();
  throw error;
}

const MAX_LINES_OF_A_FILE = 10_000;
const MAX_CHARACTERS = 2 * 1024 * 1024;

function sizeOf({lines}: FileDifference): number {
  return lines ? lines.added + lines.removed : 0;
}

/** Merges accepted and open changes, each file once. */
function joined(open: Side, accepted: Side): readonly ReviewedFile[] {
  const known = new Map(accepted.files.map((file) => [pathOf(file), file]));
  const files = open.files.map((file) => {
    const path = (file.before ?? file.after)?.path ?? '';
    const earlier = known.get(path);
    known.delete(path);
    return reviewedFile(file, {
      isAccepted: false,
      hunks: inOrder(open.hunks.get(pathOf(file)) ?? [], earlier ? (accepted.hunks.get(path) ?? []) : []),
    });
  });
  const others = [...known.values()].map((file) =>
    reviewedFile(file, {isAccepted: true, hunks: inOrder([], accepted.hunks.get(pathOf(file)) ?? [])}),
  );
  return [...files, ...others].sort((one, other) => (one.path < other.path ? -1 : 1));
}

function reviewedFile(file: FileDifference, shown: Pick<ReviewedFile, 'hunks' | 'isAccepted'>): ReviewedFile {
  const {before, lines} = file;
  const status = statusOf(file);
  const isTooLong = sizeOf(file) > 0 && shown.hunks.length === 0 && status !== 'retyped';
  const notes = [
    modeChange(file),
    lines ? undefined : 'binary',
    status === 'retyped' ? `${before?.kind} → ${file.after?.kind}` : undefined,
    (file.after ?? before)?.kind === 'link' && status !== 'retyped' ? 'link' : undefined,
    isTooLong ? 'too long to show here' : undefined,
  ];
  return {
    id: pathOf(file),
    path: escapeHiddenLine(textOf(pathOf(file))),
    oldPath: status === 'renamed' && before ? escapeHiddenLine(textOf(before.path)) : undefined,
    status,
    ...(before && {beforeId: before.id}),
    notes: notes.filter((note) => note !== undefined),
    added: shown.isAccepted ? 0 : (lines?.added ?? 0),
    removed: shown.isAccepted ? 0 : (lines?.removed ?? 0),
    ...shown,
  };
}

/** Ordered by their position in the accepted version, which both have. */
function inOrder(open: readonly Hunk[], accepted: readonly Hunk[]): readonly ReviewHunk[] {
  const shift = ({newStart}: Hunk) =>
    open
      .filter(({oldStart}) => oldStart < newStart)
      .reduce((sum, {newLines, oldLines}) => sum + newLines - oldLines, 0);
  const shown = [
    ...identified(open).map(([id, hunk]) => ({
      at: hunk.oldStart,
      hunk: shownHunk(hunk, {id, isAccepted: false}),
    })),
    ...identified(accepted).map(([id, hunk]) => {
      const newStart = hunk.newStart + shift(hunk);
      return {
        at: hunk.newStart,
        hunk: shownHunk({...hunk, newStart}, {id: `accepted-${id}`, isAccepted: true}),
      };
    }),
  ];
  return shown.sort((one, other) => one.at - other.at).map(({hunk}) => hunk);
}

function shownHunk(
  {oldStart, newStart, lines}: Hunk,
  state: Pick<ReviewHunk, 'id' | 'isAccepted'>,
): ReviewHunk {
  const text = (line: string) => escapeHiddenFile(Buffer.from(line, 'latin1').toString('utf8'));
  return {...state, oldStart, newStart, lines: lines.map(text)};
}

/** Identified by content, so that a hunk stays the same when others move it. */
function identified(hunks: readonly Hunk[]): readonly (readonly [id: string, Hunk])[] {
  const seen = new Map<string, number>();
  return hunks.map((hunk) => {
    const hash = createHash('sha256').update(hunk.lines.join('\n'), 'latin1').digest('hex').slice(0, 16);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return [`${hash}-${count}`, hunk];
  });
}

function openChanges({files, hunks}: Side): ReadReview['open'] {
  return new Map(
    files.map((file) => {
      const isText = file.before?.kind === 'file' && file.after?.kind === 'file';
      const own = isText ? identified(hunks.get(pathOf(file)) ?? []) : [];
      return [pathOf(file), {file, hunks: new Map(own)}];
    }),
  );
}
