import {memoize} from '../../session/memoize.ts';
import type {Review, ReviewedFile} from '../../session/review.ts';
import {pluralize} from '../../text/format.ts';
import {type Hint, hintsOf, hintText, type KeyNames} from '../keymap/hints.ts';
import type {Action} from '../keymap/keymap.ts';
import {linesOf, selectedFile, selection, type ReviewView} from './review-view.ts';

/** Returns the progress of reviewing a file; empty before the first action. */
export function reviewProgress({comments: all}: Pick<Review, 'comments'>, file: ReviewedFile): string {
  const accepted = file.hunks.filter(({isAccepted}) => isAccepted).length;
  const comments = commentCounts(all).get(file.path) ?? 0;
  return [
    file.isAccepted ? 'accepted' : accepted > 0 ? `${accepted} of ${file.hunks.length} accepted` : '',
    comments === 0 ? '' : pluralize(comments, 'comment'),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

const commentCounts = memoize((comments: Review['comments']): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const {path} of comments) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
});

/** Returns the possible actions on a file without lines. */
export function noLinesText(file: ReviewedFile, {keyOf}: KeyNames): string {
  const what = file.notes.length === 0 ? 'No lines to show' : file.notes.join(', ');
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}. ${keyOf('accept_file')} accepts and ${keyOf('revert_file')} reverts the file.`;
}

const SINCE = {
  unreviewed: 'No changes since your last review.',
  session: 'No changes since the first prompt.',
  turn: 'No changes in this turn.',
} as const;

/** Says that there is nothing to review. */
export function noChangesText({uncovered, range}: Review): string {
  return uncovered.length === 0 ? SINCE[range.kind] : 'No changes in what snapshots cover.';
}

/** Returns what is not covered, and why. */
export function uncoveredTexts({uncovered}: Review): readonly string[] {
  return uncovered.map(({path, reason}) => `Not covered: ${path} (${reason})`);
}

/** Returns what is being done to a hunk. */
export function doingTo({doing}: ReviewView, file: ReviewedFile, hunk: string): string | undefined {
  if (!doing || !('file' in doing) || doing.file !== file.id) return undefined;
  const isMeant = doing.hunk === undefined || doing.hunk === hunk;
  return isMeant ? {accept: 'accepting…', revert: 'reverting…'}[doing.kind] : undefined;
}

/** What the keys do while a change waits for the end of the turn. */
export function waitingText(names: KeyNames): string {
  const key = hintsOf(names);
  return hintText([
    'Done when the turn ends',
    key('clear_cancel_or_leave', 'cancel the turn'),
    key('cancel_or_back', 'keep the file'),
  ]);
}

/** Returns the selected lines: `line 3` or `lines 3–5`. */
export function selectedLinesName(view: ReviewView): string {
  const lines = linesOf(selectedFile(view));
  const [first, last] = selection(view).map((at) => lines[at]?.newNumber ?? lines[at]?.oldNumber);
  return first === last ? `line ${first}` : `lines ${first}–${last}`;
}

/** The keys of a review, in order of importance. */
const KEYS: readonly (readonly [readonly Action[], string])[] = [
  [['accept_hunk'], 'accept'],
  [['revert_hunk'], 'revert'],
  [['comment'], 'comment'],
  [['previous_hunk', 'next_hunk'], 'hunk'],
  [['next_file'], 'file'],
  [['cancel_or_back'], 'back'],
  [['undo_review'], 'undo'],
  [['commit_accepted'], 'commit'],
  [['scroll_line_up', 'scroll_line_down'], 'line'],
  [['accept_file', 'revert_file'], 'whole file'],
  [['edit_at_line'], 'editor'],
  [['next_range'], 'range'],
  [['search'], 'search'],
  [['side_by_side'], 'side by side'],
  [['select_lines'], 'select lines'],
  [['send_comments'], 'send comments'],
  [['read_again'], 'read again'],
];

/** Those that do something without any changes. */
const KEYS_WITHOUT_FILES: ReadonlySet<Action> = new Set([
  'undo_review',
  'commit_accepted',
  'next_range',
  'read_again',
  'cancel_or_back',
]);

/** Returns the keys of a review. */
export function reviewHints({review}: ReviewView, names: KeyNames): readonly Hint[] {
  const isEmpty = review.files.length === 0;
  const keys = KEYS.filter(([[action]]) => !isEmpty || (action && KEYS_WITHOUT_FILES.has(action)));
  return keys.map((key) => hintsOf(names)(...key));
}
