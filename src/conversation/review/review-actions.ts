import {dirname, relative, resolve, sep} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {isInside} from '../../shared/files/session-folders.ts';
import {isIdle} from '../../session/selectors.ts';
import {reviewAuthors} from '../../session/review-authors.ts';
import {
  unreviewedIn,
  type CommentChange,
  type Review,
  type ReviewChange,
  type ReviewOutcome,
  type ReviewRange,
  type Unreviewed,
} from '../../session/review.ts';
import {reportedDiffs} from '../../session/transcript/diffs.ts';
import type {Reviewer, ReviewedSession} from '../../snapshots/review/reviewer.ts';
import {unescapeHidden} from '../../text/hidden.ts';
import type {ConversationContext} from '../context.ts';

/** Accepts or reverts a change in the session's folder. */
export async function changeReview(
  context: ConversationContext,
  change: ReviewChange,
  of: string,
): Promise<ReviewOutcome> {
  const {sink} = context;
  if (['revert', 'undo'].includes(change.kind) && !isIdle(sink.state()))
    return {ok: false, why: 'A turn is running: files can be reverted when it is over.'};
  const outcome = await withReviewer(context, (reviewer, session) => reviewer.change(session, change, of));
  if (outcome.ok && outcome.hasChangedFiles && outcome.message !== undefined) {
    const {message, undoes} = outcome;
    const restored = {sentence: message, undoes};
    sink.emit({type: 'notice', level: 'info', text: `Review: ${message}`, restored, at: Date.now()});
  }
  return outcome;
}

export async function saveReviewComments(context: ConversationContext, change: CommentChange): Promise<void> {
  const session = reviewedSession(context);
  if (session) await context.snapshots?.reviewer.saveComments(session, change);
}

/** Reports what is not reviewed, as of the newest stored snapshot or a new one. */
export async function reportUnreviewed(
  {snapshots, sink}: Pick<ConversationContext, 'snapshots' | 'sink'>,
  options: {readonly isFresh?: boolean} = {},
): Promise<void> {
  const {sessionId} = sink.state();
  const found =
    sessionId === undefined ? undefined : await snapshots?.reviewer.unreviewed(sessionId, options);
  if (found) emitUnreviewed(sink, found);
}

function emitUnreviewed(sink: ConversationContext['sink'], found: Unreviewed): void {
  const {unreviewed} = sink.state();
  if (!isDeepStrictEqual(found, unreviewed))
    sink.emit({type: 'unreviewed_changes', ...found, at: Date.now()});
}

/** Reads the changes, or works on them. */
export async function withReviewer(
  context: ConversationContext,
  work: (reviewer: Reviewer, session: ReviewedSession) => Promise<ReviewOutcome>,
): Promise<ReviewOutcome> {
  const {snapshots} = context;
  if (!snapshots)
    return {ok: false, why: 'Review is off: snapshots are switched off, or nothing is saved (--no-save).'};
  const session = reviewedSession(context);
  if (!session) return {ok: false, why: 'No session is open.'};
  const outcome = await work(snapshots.reviewer, session);
  if (!outcome.ok) return outcome;
  const {review} = outcome;
  if (review.range.kind !== 'turn') emitUnreviewed(context.sink, unreviewedIn(review.files));
  const by = reviewAuthors(context.sink.state(), review.files);
  const uncovered = [...review.uncovered, ...(await changedOutside(context, review.range))];
  return {...outcome, review: {...review, by, uncovered}};
}

/** Returns the files outside the folder that tool calls reported. */
async function changedOutside({sink}: ConversationContext, range: ReviewRange): Promise<Review['uncovered']> {
  const state = sink.state();
  const turn = range.kind === 'turn' ? range.turn : undefined;
  const reported = reportedDiffs(state).filter((each) => turn === undefined || each.turn === turn);
  const files = [...new Set(reported.map(({diff}) => diff.path))];
  const inside = await Promise.all(
    files.map((path) => isInFolder(resolve(state.cwd, unescapeHidden(path)), state.cwd)),
  );
  return files.flatMap((path, index) => (inside[index] ? [] : [{path, reason: 'outside the folder'}]));
}

/** A file that is gone counts by its folder, or else by its name. */
async function isInFolder(path: string, cwd: string): Promise<boolean> {
  const folder = {cwd, additionalDirectories: []};
  return isInside(path, folder)
    .catch(() => isInside(dirname(path), folder))
    .catch(() => relative(cwd, path).split(sep)[0] !== '..');
}

export function reviewedSession({
  sink,
  turn: {number: turn},
}: ConversationContext): ReviewedSession | undefined {
  const {sessionId: session, entries, sessionStart, copiedAt = 0} = sink.state();
  // Snapshots of the turns before it was copied are those of the original session.
  const own = entries.slice(Math.max(sessionStart, copiedAt)).find((entry) => entry.turn !== undefined);
  return session === undefined ? undefined : {session, turn, firstTurn: own?.turn ?? turn + 1};
}
