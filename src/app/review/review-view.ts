import type {
  Review,
  ReviewChange,
  ReviewComment,
  ReviewedFile,
  ReviewHunk,
  ReviewRange,
} from '../../session/review.ts';
import type {Draft} from '../editor/draft.ts';

/** State of the review screen. */
export interface ReviewView {
  /** Of its session. */
  readonly key: string;
  readonly review: Review;
  /** The id of the selected file; undefined if there are none. */
  readonly file?: string | undefined;
  /** Index of the line with the cursor, see `linesOf`. */
  readonly line: number;
  /** The other end of the selection; undefined if only that line is selected. */
  readonly selectedFrom?: number | undefined;
  /** What is being typed. */
  readonly typing?: {readonly what: 'comment' | 'commit' | 'search'; readonly draft: Draft} | undefined;
  /** Empty while not searching. */
  readonly search: string;
  readonly isSideBySide: boolean;
  /** The running action; `read` reads other changes. */
  readonly doing?: ReviewChange | {readonly kind: 'read'} | undefined;
  /** The actions to perform at the end of the turn, in order. */
  readonly waiting: readonly ReviewChange[];
  /** Number of visible rows of changes. */
  readonly pageRows: number;
}

/** A line of a file's changes. */
export interface ReviewLine {
  readonly hunk: ReviewHunk;
  /** Index of the hunk, and of the line in it. */
  readonly hunkIndex: number;
  readonly index: number;
  readonly kind: 'context' | 'added' | 'removed';
  readonly text: string;
  /** Line numbers before and after; undefined if the line does not exist there. */
  readonly oldNumber: number | undefined;
  readonly newNumber: number | undefined;
}

const USUAL_PAGE = 20;

/** Returns the initial view of a review, on a file if it still exists. */
export function initialReviewView(
  key: string,
  review: Review,
  at?: Pick<ReviewView, 'file' | 'line'>,
): ReviewView {
  const file = review.files.find(({id}) => id === at?.file) ?? firstOpen(review.files);
  const view: ReviewView = {
    key,
    review,
    file: file?.id,
    line: 0,
    search: '',
    isSideBySide: false,
    waiting: [],
    pageRows: USUAL_PAGE,
  };
  return at && file?.id === at.file ? moveToLine(view, at.line) : {...view, line: firstChange(file)};
}

function firstOpen(files: readonly ReviewedFile[]): ReviewedFile | undefined {
  return files.find(({isAccepted}) => !isAccepted) ?? files[0];
}

/** Returns the view after an action: what was accepted or reverted is left behind, and what was reopened is shown; otherwise the cursor stays. */
export function withReview(view: ReviewView, review: Review): ReviewView {
  const before = selectedFile(view);
  const next: ReviewView = {
    ...view,
    review,
    file: (review.files.find(({id}) => id === before?.id) ?? fileAfter(review, before))?.id,
    selectedFrom: undefined,
    doing: undefined,
  };
  const {doing} = view;
  if (doing?.kind === 'undo') return atReopened(next, view.review);
  const isDone = doing && 'file' in doing && !isOpenIn(review, doing);
  return isDone ? atNextOpen(next, view) : atSameLine(next, view);
}

/** Files are ordered by path. */
function fileAfter({files}: Review, before: ReviewedFile | undefined): ReviewedFile | undefined {
  return files.find(({path}) => before !== undefined && path > before.path) ?? files.at(-1);
}

/** True if a change is neither accepted nor gone. */
function isOpenIn({files}: Review, {file, hunk}: Extract<ReviewChange, {readonly file: string}>): boolean {
  const found = files.find(({id}) => id === file);
  if (!found || found.isAccepted) return false;
  return hunk === undefined || found.hunks.some(({id, isAccepted}) => id === hunk && !isAccepted);
}

/** Moves on to the next change that is not accepted, in this file or a later one; stays if there is none. */
function atNextOpen(next: ReviewView, {file, line}: ReviewView): ReviewView {
  const {files} = next.review;
  const at = files.findIndex(({id}) => id === next.file);
  const isSame = next.file === file;
  const here = isSame ? openLine(files[at], line) : -1;
  if (here !== -1) return {...next, line: here};
  const later = files.slice(isSame ? at + 1 : at).find(({isAccepted}) => !isAccepted);
  if (later) return atFile(next, later);
  return isSame ? moveToLine(next, line) : atFile(next, files[at]);
}

/** The index of the first line of an open change, from a line on; -1 if there is none. */
function openLine(file: ReviewedFile | undefined, from = 0): number {
  return linesOf(file).findIndex(
    ({hunk, kind}, line) => line >= from && !hunk.isAccepted && kind !== 'context',
  );
}

/** Moves to the change that is open again. */
function atReopened(next: ReviewView, before: Review): ReviewView {
  for (const file of next.review.files) {
    if (file.isAccepted) continue;
    const earlier = before.files.find(({id}) => id === file.id);
    const open = new Set(earlier?.hunks.flatMap(({id, isAccepted}) => (isAccepted ? [] : [id])));
    const line = linesOf(file).findIndex(
      ({hunk, kind}) => !hunk.isAccepted && kind !== 'context' && !open.has(hunk.id),
    );
    if (line !== -1) return {...next, file: file.id, line};
    if (!earlier || earlier.isAccepted) return atFile(next, file);
  }
  return next;
}

/** Stays on the line if its hunk is still there. */
function atSameLine(next: ReviewView, view: ReviewView): ReviewView {
  if (next.file !== view.file) return atFile(next, selectedFile(next));
  const here = selectedLine(view);
  const line = linesOf(selectedFile(next)).findIndex(
    ({hunk, index}) => hunk.id === here?.hunk.id && index === here.index,
  );
  return moveToLine(next, line === -1 ? view.line : line);
}

export function selectedFile({review, file}: ReviewView): ReviewedFile | undefined {
  return review.files.find(({id}) => id === file);
}

const known = new WeakMap<ReviewedFile, readonly ReviewLine[]>();

/** Returns the lines of a file's changes, from top to bottom. */
export function linesOf(file: ReviewedFile | undefined): readonly ReviewLine[] {
  if (!file) return [];
  const found = known.get(file) ?? file.hunks.flatMap(linesOfHunk);
  known.set(file, found);
  return found;
}

const KINDS: Readonly<Record<string, ReviewLine['kind']>> = {' ': 'context', '+': 'added', '-': 'removed'};

function linesOfHunk(hunk: ReviewHunk, hunkIndex: number): readonly ReviewLine[] {
  let [oldNumber, newNumber] = [Math.max(1, hunk.oldStart), Math.max(1, hunk.newStart)];
  return hunk.lines.flatMap((line, index): ReviewLine[] => {
    const kind = KINDS[line.charAt(0)];
    if (kind === undefined) return [];
    const numbers = {
      oldNumber: kind === 'added' ? undefined : oldNumber++,
      newNumber: kind === 'removed' ? undefined : newNumber++,
    };
    return [{hunk, hunkIndex, index, kind, text: line.slice(1), ...numbers}];
  });
}

export function selectedLine(view: ReviewView): ReviewLine | undefined {
  return linesOf(selectedFile(view))[view.line];
}

/** Returns the first and the last selected line. */
export function selection({line, selectedFrom = line}: ReviewView): readonly [from: number, to: number] {
  return [Math.min(line, selectedFrom), Math.max(line, selectedFrom)];
}

/** Moves the cursor to a line, or the nearest one. */
export function moveToLine(view: ReviewView, line: number): ReviewView {
  const last = linesOf(selectedFile(view)).length - 1;
  return {...view, line: Math.max(0, Math.min(line, last))};
}

/** Moves to the next or previous file, wrapping around. */
export function moveToNextFile(view: ReviewView, direction: 1 | -1): ReviewView {
  const {files} = view.review;
  if (files.length === 0) return view;
  const at = files.findIndex(({id}) => id === view.file);
  return atFile(view, files[(at + direction + files.length) % files.length]);
}

function atFile(view: ReviewView, file: ReviewedFile | undefined): ReviewView {
  return {...view, file: file?.id, line: firstChange(file), selectedFrom: undefined};
}

function firstChange(file: ReviewedFile | undefined): number {
  const open = openLine(file);
  if (open !== -1) return open;
  return Math.max(
    0,
    linesOf(file).findIndex(({kind}) => kind !== 'context'),
  );
}

/** Moves to the first changed line of the next or previous hunk; at the end, to the next file. */
export function moveToNextHunk(view: ReviewView, direction: 1 | -1): ReviewView {
  const lines = linesOf(selectedFile(view));
  const wanted = (lines[view.line]?.hunkIndex ?? 0) + direction;
  const line = lines.findIndex(({hunkIndex, kind}) => hunkIndex === wanted && kind !== 'context');
  return line === -1 ? moveToNextFile(view, direction) : {...view, line, selectedFrom: undefined};
}

/** Moves to the next or previous line that matches the search, in any file; undefined if there is none. */
export function moveToNextMatch(view: ReviewView, direction: 1 | -1): ReviewView | undefined {
  const wanted = view.search.toLowerCase();
  const {files} = view.review;
  const all = files.flatMap((file) => {
    const name = file.path.toLowerCase().includes(wanted);
    const lines = linesOf(file);
    return lines.flatMap(({text}, line) =>
      text.toLowerCase().includes(wanted) || (name && line === 0) ? [{file, line}] : [],
    );
  });
  const order = (file: string | undefined, line: number) =>
    files.findIndex(({id}) => id === file) * 1_000_000 + line;
  const here = order(view.file, view.line);
  const isBehind = (match: (typeof all)[number]) => (order(match.file.id, match.line) - here) * direction > 0;
  const found = direction === 1 ? (all.find(isBehind) ?? all[0]) : (all.findLast(isBehind) ?? all.at(-1));
  return found && {...view, file: found.file.id, line: found.line, selectedFrom: undefined};
}

/** Returns the available ranges, the default one first. */
export function rangesOf({turns}: Review): readonly ReviewRange[] {
  const ofTurns = turns.toReversed().map((turn): ReviewRange => ({kind: 'turn', turn}));
  return [{kind: 'unreviewed'}, {kind: 'session'}, ...ofTurns];
}

export function rangeName(range: ReviewRange): string {
  if (range.kind === 'turn') return `Turn ${range.turn}`;
  return range.kind === 'session' ? 'Since the first prompt' : 'Since your last review';
}

/** True if a comment is about this line of a file. */
export function isCommentOnLine(comment: ReviewComment, path: string, line: ReviewLine): boolean {
  const number = comment.side === 'new' ? line.newNumber : line.oldNumber;
  return comment.path === path && number === comment.lastLine && comment.quote.at(-1)?.slice(1) === line.text;
}

/** Returns the comments on a file whose lines no longer exist. */
export function outdatedComments({comments}: Review, file: ReviewedFile): readonly ReviewComment[] {
  const lines = linesOf(file);
  return comments.filter(
    (comment) =>
      comment.path === file.path && !lines.some((line) => isCommentOnLine(comment, file.path, line)),
  );
}

/** Sets the comment on the selected lines; an empty text removes it. */
export function withComment(view: ReviewView, text: string): readonly ReviewComment[] {
  const file = selectedFile(view);
  const last = linesOf(file)[selection(view)[1]];
  const {comments} = view.review;
  if (!file || !last) return comments;
  const others = comments.filter((comment) => !isCommentOnLine(comment, file.path, last));
  return text.trim() === '' ? others : [...others, {...placeOf(view, file), text: text.trim()}];
}

function placeOf(view: ReviewView, file: ReviewedFile): Omit<ReviewComment, 'text'> {
  const [from, to] = selection(view);
  const lines = linesOf(file).slice(from, to + 1);
  const side = lines.at(-1)?.newNumber === undefined ? 'old' : 'new';
  const numbers = lines.map((line) => (side === 'new' ? line.newNumber : line.oldNumber));
  const own = numbers.filter((number) => number !== undefined);
  return {
    path: file.path,
    side,
    line: own[0] ?? 1,
    lastLine: own.at(-1) ?? 1,
    quote: lines.map(({hunk, index}) => hunk.lines[index] ?? ''),
  };
}

/** The text of the comment on the selected lines; empty if there is none. */
export function selectedComment(view: ReviewView): string {
  const file = selectedFile(view);
  const last = linesOf(file)[selection(view)[1]];
  if (!file || !last) return '';
  return view.review.comments.find((comment) => isCommentOnLine(comment, file.path, last))?.text ?? '';
}
