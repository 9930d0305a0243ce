import {randomUUID} from 'node:crypto';
import {isDeepStrictEqual} from 'node:util';
import {
  unreviewedIn,
  type ReviewChange,
  type ReviewOutcome,
  type ReviewRange,
  type Unreviewed,
} from '../../session/review.ts';
import {fileProblem} from '../../shared/files/file-failure.ts';
import {codeOf} from '../../shared/files/safe-files.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {pathOf, withHunk, type FileDifference, type FileVersion, type Hunk} from '../differences.ts';
import {storeObject} from '../objects.ts';
import {readBlob, SnapshotProblem, textOf, type SnapshotRepository} from '../repository.ts';
import type {RestoreStep} from '../restore-journal.ts';
import {restore, restoreSteps} from '../restore.ts';
import {listStored, removeSnapshot, storeSnapshot, type TurnRange} from '../snapshot-log.ts';
import {replaceInSnapshot, type Replacement} from './accept.ts';
import {reviewComments, type OpenRepository, type ReviewComments} from './comments.ts';
import {readReview, readUnreviewed, type ReadReview} from './read-review.ts';
import {reviewedFile, type ReviewAction} from './session-files.ts';

/** Reviews the changes of a session. */
export interface Reviewer extends ReviewComments {
  /** Reads what changed. */
  read(session: ReviewedSession, range: ReviewRange): Promise<ReviewOutcome>;
  /** Returns what is not accepted, as of the newest stored snapshot or a new one; undefined if nothing is known. Never rejects. */
  unreviewed(session: string, options?: {readonly isFresh?: boolean}): Promise<Unreviewed | undefined>;
  /** Performs an action on a change of a reading, by its id, and reads the changes again. */
  change(session: ReviewedSession, change: ReviewChange, of: string): Promise<ReviewOutcome>;
}

export interface ReviewedSession extends TurnRange {
  /** The agent's id. */
  readonly session: string;
}

/** The result of an action, as a sentence. */
interface ActionResult {
  readonly message?: string;
  /** Why it was refused. */
  readonly refused?: string;
  readonly hasChangedFiles?: boolean;
  /** The files of the folder after a revert if nothing else has changed: what was in it before is in a stored snapshot. */
  readonly leaves?: string;
  /** The sentence about the change that was undone. */
  readonly undoes?: string;
  /** The action, if it can be undone. */
  readonly done?: ReviewAction;
}

interface Reading {
  readonly session: ReviewedSession;
  readonly range: ReviewRange;
  /** The reading before an action. */
  readonly before?: ReadReview | undefined;
  readonly outcome?: ActionResult;
}

type Target = NonNullable<ReturnType<ReadReview['open']['get']>>;

interface Acting {
  readonly repository: SnapshotRepository;
  readonly session: ReviewedSession;
  readonly read: ReadReview;
  readonly target: Target;
  /** Undefined for the whole file. */
  readonly hunk: Hunk | undefined;
  /** True if the overwritten content is in a stored snapshot. */
  readonly isSaved: boolean;
}

/** Maximum number of readings that actions can be about: one is replaced by each action, and each window shows one. */
const MAX_READINGS = 8;

const CHANGED = 'It has changed since; its current state is shown.';

/** Describes any failure in one sentence. */
async function attempt(
  open: OpenRepository,
  work: (repository: SnapshotRepository) => Promise<ReviewOutcome>,
): Promise<ReviewOutcome> {
  try {
    const repository = await open();
    return repository ? await work(repository) : {ok: false, why: 'Review is off for this folder.'};
  } catch (error) {
    if (error instanceof SnapshotProblem) return {ok: false, why: `No review: ${error.message}.`};
    if (codeOf(error) === undefined) throw error;
    return {ok: false, why: `No review: ${fileProblem(error)}.`};
  }
}

export function createReviewer(open: OpenRepository): Reviewer {
  /** By id, the newest last. */
  const readings = new Map<string, ReadReview>();
  /** See `leaves`. */
  let own: string | undefined;
  const {readComments, ...commenting} = reviewComments(open);

  async function read(
    repository: SnapshotRepository,
    {session, range, before, outcome = {}}: Reading,
  ): Promise<ReviewOutcome> {
    const now = await readReview(repository, {...session, range, origin: before?.origin});
    const id = randomUUID();
    readings.set(id, now);
    for (const old of [...readings.keys()].slice(0, -MAX_READINGS)) readings.delete(old);
    const review = {...now.review, id, comments: readComments(repository, session.session)};
    const {refused, message = refused, hasChangedFiles = false, undoes} = outcome;
    return {ok: true, review, message, isDone: refused === undefined, hasChangedFiles, undoes};
  }

  async function perform(
    repository: SnapshotRepository,
    {session, before: shown}: Pick<Reading, 'session' | 'before'>,
    change: ReviewChange,
  ): Promise<ActionResult> {
    if (change.kind === 'refresh') return {};
    if (change.kind === 'undo') return undoLast(repository, session);
    if (!shown) return {refused: CHANGED};
    const target = shown.open.get(change.file);
    if (!target) return {refused: 'Already accepted.'};
    const hunk = change.hunk === undefined ? undefined : target.hunks.get(change.hunk);
    if (change.hunk !== undefined && !hunk && target.hunks.size > 0) return {refused: CHANGED};
    const isSaved = own !== undefined && own === (await filesOf(repository, shown.now));
    const acting = {repository, session, read: shown, target, hunk, isSaved};
    const outcome = await (change.kind === 'accept' ? accept(acting) : revert(acting));
    if (outcome.done) {
      const before = reviewedFile.read(repository, session.session);
      reviewedFile.write(repository, session.session, [...before, outcome.done].slice(-MAX_REVIEWED));
    }
    return outcome;
  }

  return {
    read: (session, range) =>
      // Changes accepted before the screen was opened are no longer shown.
      attempt(open, (repository) => read(repository, {session, range})),
    async unreviewed(session, {isFresh = false} = {}) {
      const repository = await open();
      const files = repository && (await readUnreviewed(repository, session, isFresh).catch(ignore));
      return files && unreviewedIn(files);
    },
    change: (session, change, of) =>
      attempt(open, async (repository) => {
        const before = readings.get(of);
        const range = before?.review.range ?? {kind: 'unreviewed'};
        const outcome = await perform(repository, {session, before}, change);
        if (outcome.hasChangedFiles) own = outcome.leaves;
        const done = await read(repository, {session, range, before, outcome});
        readings.delete(of);
        return done;
      }),
    ...commenting,
  };
}

/** The side panel shows what it showed before. */
function ignore(): undefined {}

/** Maximum number of actions that can be undone. */
const MAX_REVIEWED = 100;

async function undoLast(repository: SnapshotRepository, session: ReviewedSession): Promise<ActionResult> {
  const newest = reviewedFile.read(repository, session.session).at(-1);
  if (!newest) return {refused: 'Nothing to undo.'};
  const result = await undo(repository, session, newest);
  // Only now, so that it can be repeated if it failed. Another window may have added others meanwhile.
  const reviewed = reviewedFile.read(repository, session.session);
  const at = reviewed.findLastIndex((each) => isDeepStrictEqual(each, newest));
  reviewedFile.write(
    repository,
    session.session,
    reviewed.filter((_, index) => index !== at),
  );
  return result;
}

async function undo(
  repository: SnapshotRepository,
  session: ReviewedSession,
  reviewed: ReviewAction,
): Promise<ActionResult> {
  const {name} = reviewed;
  if (reviewed.kind === 'accept') {
    const {before: id, after: before} = reviewed;
    const isNext = await storeAccepted(repository, session, {before, id});
    return isNext
      ? {message: `No longer accepted: ${name}.`}
      : {refused: 'More was accepted in another window since.'};
  }
  const {refused, done} = await restoreAll(repository, reviewed.steps.map(reversed).toReversed());
  if (refused !== undefined) return {refused, hasChangedFiles: done.length > 0};
  return {message: `Restored ${name}.`, hasChangedFiles: true, undoes: revertedSentence(name)};
}

function revertedSentence(name: string): string {
  return `Reverted ${name}.`;
}

/** Changes what counts as accepted, and no files. */
async function accept(acting: Acting): Promise<ActionResult> {
  const {repository, session, read, target, hunk} = acting;
  if (read.review.range.kind === 'turn') return {refused: 'Accept it in a review of the whole session.'};
  const replacements = hunk ? await acceptedHunk(acting, hunk) : replacementsOf(target.file);
  const before = read.base;
  if (!replacements) return {refused: CHANGED};
  const after = await replaceInSnapshot(repository, before, replacements);
  if (!(await storeAccepted(repository, session, {before, id: after}))) return {refused: CHANGED};
  const name = nameOf(acting);
  return {message: `Accepted ${name}.`, done: {kind: 'accept', name, before, after}};
}

async function acceptedHunk(
  {repository, target: {file}}: Acting,
  hunk: Hunk,
): Promise<readonly Replacement[] | undefined> {
  const {before} = file;
  const version = before && (await versionWith(repository, before, {hunk, side: 'new'}));
  return version && [{path: version.path, version}];
}

function replacementsOf({before, after}: FileDifference): readonly Replacement[] {
  const isMoved = before && before.path !== after?.path;
  return [
    ...(isMoved ? [{path: before.path, version: undefined}] : []),
    ...(after ? [{path: after.path, version: after}] : []),
  ];
}

/** False if another window has accepted something meanwhile: it would no longer count. */
async function storeAccepted(
  repository: SnapshotRepository,
  session: ReviewedSession,
  {before, id}: {readonly before: string; readonly id: string},
): Promise<boolean> {
  const {accepted: known} = await listStored(repository, session.session);
  const newest = known.at(-1)?.id;
  if (newest !== undefined && newest !== before) return false;
  const at = Math.max(Date.now(), (known.at(-1)?.at ?? 0) + 1);
  const ref = await storeSnapshot(repository, id, {...session, when: 'accepted', at});
  // Only now is it certain that of two windows one sees the other.
  const {accepted} = await listStored(repository, session.session);
  const isOnly = accepted.length === known.length + 1;
  if (!isOnly) await removeSnapshot(repository, ref);
  return isOnly;
}

/** Restores the previous content, only if the file is still as it was read. */
async function revert(acting: Acting): Promise<ActionResult> {
  const {repository, session, read, target, hunk, isSaved} = acting;
  const steps = hunk ? await revertedHunk(acting, hunk) : stepsBack(target.file);
  if (!steps) return {refused: CHANGED};
  // Overwritten content can be restored as long as snapshots are kept.
  if (!isSaved) await storeSnapshot(repository, read.now, {...session, when: 'saved', at: Date.now()});
  const {refused, done} = await restoreAll(repository, steps);
  const name = nameOf(acting);
  const said = refused === undefined ? {message: revertedSentence(name)} : {refused};
  if (done.length === 0) return said;
  const replacements = done.map(({path, to: version}) => ({path, version}));
  const leaves = await filesOf(repository, await replaceInSnapshot(repository, read.now, replacements));
  return {...said, hasChangedFiles: true, leaves, done: {kind: 'revert', name, steps: [...done]}};
}

/** Returns the files of a snapshot, as git names them in one line. */
async function filesOf({git}: SnapshotRepository, id: string): Promise<string> {
  return (await git(['ls-tree', id, 'files'])).toString('latin1');
}

function stepsBack({before, after, folder}: FileDifference): readonly RestoreStep[] {
  return restoreSteps({files: [{before: after, after: before, lines: undefined, folder}]});
}

async function revertedHunk(
  {repository, target: {file}}: Acting,
  hunk: Hunk,
): Promise<readonly RestoreStep[] | undefined> {
  const {after} = file;
  const version = after && (await versionWith(repository, after, {hunk, side: 'old'}));
  return version && [{path: after.path, from: after, to: version}];
}

function reversed({path, from, to}: RestoreStep): RestoreStep {
  return {path, ...(to && {from: to}), ...(from && {to: from})};
}

/** The completed steps, and why a file was left unchanged. */
interface RestoredSteps {
  readonly done: readonly RestoreStep[];
  readonly refused: string | undefined;
}

async function restoreAll(
  repository: SnapshotRepository,
  steps: readonly RestoreStep[],
): Promise<RestoredSteps> {
  const files = await restore(repository, steps);
  const left = files.find((file) => file.refused !== undefined);
  const refused = left && `${escapeHiddenLine(textOf(left.path))} is unchanged: ${left.refused}.`;
  const isDone = ({path}: RestoreStep) =>
    files.some((file) => file.path === path && file.refused === undefined);
  return {done: steps.filter(isDone), refused};
}

/** Stores a file with one side of a hunk applied; undefined if the hunk does not apply. */
async function versionWith(
  repository: SnapshotRepository,
  version: FileVersion,
  {hunk, side}: {readonly hunk: Hunk; readonly side: 'old' | 'new'},
): Promise<FileVersion | undefined> {
  const content = withHunk(await readBlob(repository, version.id), hunk, side);
  if (!content) return undefined;
  return {...version, id: await storeObject(repository.gitDir, 'blob', content)};
}

function nameOf({target: {file}, hunk}: Acting): string {
  const name = escapeHiddenLine(textOf(pathOf(file)));
  return hunk ? `a hunk of ${name}` : name;
}
