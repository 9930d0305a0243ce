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
  readonly file: string | undefined;
  /** Index of the line with the cursor, see `linesOf`. */
  readonly line: number;
  /** The other end of the selection; undefined if only that line is selected. */
  readonly selectedFrom: number | undefined;
  /** What is being typed. */
  readonly typing: {readonly what: 'comment' | 'search'; readonly draft: Draft} | undefined;
  /** Empty while not searching. */
  readonly search: string;
  readonly isSideBySide: boolean;
  /** True while an action is running. */
  readonly isBusy: boolean;
  /** The action to perform at the end of the turn. */
  readonly waiting: ReviewChange | undefined;
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
export function openedReview(
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
    selectedFrom: undefined,
    typing: undefined,
    search: '',
    isSideBySide: false,
    isBusy: false,
    waiting: undefined,
    pageRows: USUAL_PAGE,
  };
  return at && file?.id === at.file ? atLine(view, at.line) : {...view, line: firstChange(file)};
}

function firstOpen(files: readonly ReviewedFile[]): ReviewedFile | undefined {
  return files.find(({isAccepted}) => !isAccepted) ?? files[0];
}

/** Returns the view after the changes were read again: the cursor stays, or moves to the next line. */
export function withReview(view: ReviewView, review: Review): ReviewView {
  const before = selectedFile(view);
  const after =
    review.files.find(({id}) => id === view.file) ??
    review.files.find(({path}) => before !== undefined && path > before.path) ??
    review.files.at(-1);
  const next = {...view, review, file: after?.id, selectedFrom: undefined, isBusy: false};
  const isNext = after?.id !== view.file;
  const line = isNext ? firstChange(after) : afterAccepted(before, after, view.line);
  return atLine(next, line);
}

/** Moves to the next change after one was accepted; to the change if it was reopened. */
function afterAccepted(
  before: ReviewedFile | undefined,
  after: ReviewedFile | undefined,
  line: number,
): number {
  if (!before || !after) return line;
  const lines = linesOf(after);
  const known = new Set(before.hunks.map(({id}) => id));
  const isMore = countOpen(after) > countOpen(before);
  const isLess = countOpen(after) < countOpen(before) && lines[line]?.hunk.isAccepted !== false;
  const found = lines.findIndex(({hunk, kind}, at) => {
    if (hunk.isAccepted || kind === 'context') return false;
    return isMore ? !known.has(hunk.id) : isLess && at >= line;
  });
  return found === -1 ? line : found;
}

function countOpen({hunks}: ReviewedFile): number {
  return hunks.filter(({isAccepted}) => !isAccepted).length;
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
export function atLine(view: ReviewView, line: number): ReviewView {
  const last = linesOf(selectedFile(view)).length - 1;
  return {...view, line: Math.max(0, Math.min(line, last))};
}

/** Moves to the next or previous file, wrapping around. */
export function atNextFile(view: ReviewView, direction: 1 | -1): ReviewView {
  const {files} = view.review;
  if (files.length === 0) return view;
  const at = files.findIndex(({id}) => id === view.file);
  return atFile(view, files[(at + direction + files.length) % files.length]);
}

function atFile(view: ReviewView, file: ReviewedFile | undefined): ReviewView {
  return {...view, file: file?.id, line: firstChange(file), selectedFrom: undefined};
}

function firstChange(file: ReviewedFile | undefined): number {
  const lines = linesOf(file);
  const open = lines.findIndex(({hunk, kind}) => !hunk.isAccepted && kind !== 'context');
  return open === -1
    ? Math.max(
        0,
        lines.findIndex(({kind}) => kind !== 'context'),
      )
    : open;
}

/** Moves to the first changed line of the next or previous hunk; at the end, to the next file. */
export function atNextHunk(view: ReviewView, direction: 1 | -1): ReviewView {
  const lines = linesOf(selectedFile(view));
  const wanted = (lines[view.line]?.hunkIndex ?? 0) + direction;
  const line = lines.findIndex(({hunkIndex, kind}) => hunkIndex === wanted && kind !== 'context');
  return line === -1 ? atNextFile(view, direction) : {...view, line, selectedFrom: undefined};
}

/** Moves to the next or previous line that matches the search, in any file; undefined if there is none. */
export function atNextMatch(view: ReviewView, direction: 1 | -1): ReviewView | undefined {
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
export function isAbout(comment: ReviewComment, path: string, line: ReviewLine): boolean {
  const number = comment.side === 'new' ? line.newNumber : line.oldNumber;
  return comment.path === path && number === comment.lastLine && comment.quote.at(-1)?.slice(1) === line.text;
}

/** Returns the comments on a file whose lines no longer exist. */
export function outdatedComments({comments}: Review, file: ReviewedFile): readonly ReviewComment[] {
  const lines = linesOf(file);
  return comments.filter(
    (comment) => comment.path === file.path && !lines.some((line) => isAbout(comment, file.path, line)),
  );
}

/** Sets the comment on the selected lines; an empty text removes it. */
export function withComment(view: ReviewView, text: string): readonly ReviewComment[] {
  const file = selectedFile(view);
  const last = linesOf(file)[selection(view)[1]];
  const {comments} = view.review;
  if (!file || !last) return comments;
  const others = comments.filter((comment) => !isAbout(comment, file.path, last));
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
export function commentHere(view: ReviewView): string {
  const file = selectedFile(view);
  const last = linesOf(file)[selection(view)[1]];
  if (!file || !last) return '';
  return view.review.comments.find((comment) => isAbout(comment, file.path, last))?.text ?? '';
}
