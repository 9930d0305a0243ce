import {linesOf, selectedFile, selection, type ReviewView} from '../../src/app/review/review-view.ts';
import {memoize} from '../../src/session/memoize.ts';
import {STATUS_LETTERS, type Review, type ReviewedFile, type ReviewStatus} from '../../src/session/review.ts';
import {pluralize} from '../../src/text/format.ts';
import type {Theme} from '../theme/theme.tsx';

/** Returns the letter of a file's status, in its color. */
export function statusLetter(status: ReviewStatus, {paint}: Theme): string {
  const letter = STATUS_LETTERS[status];
  if (status === 'added') return paint.success(letter);
  return status === 'deleted' ? paint.error(letter) : paint.warning(letter);
}

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
export function noLinesText(file: ReviewedFile, {keyOf}: Pick<Theme, 'keyOf'>): string {
  const what = file.notes.length === 0 ? 'No lines to show' : file.notes.join(', ');
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}. ${keyOf('accept_file')} accepts and ${keyOf('revert_file')} reverts the file.`;
}

/** What the keys do while a change waits for the end of the turn. */
export function waitingText({keyOf}: Pick<Theme, 'keyOf' | 'symbols'>): string {
  const words = [
    'Done when the turn ends',
    `${keyOf('clear_cancel_or_leave')} cancel the turn`,
    `${keyOf('cancel_or_back')} keep the file`,
  ];
  return words.join(' · ');
}

/** Returns the selected lines: `line 3` or `lines 3–5`. */
export function selectedLinesName(view: ReviewView): string {
  const lines = linesOf(selectedFile(view));
  const [first, last] = selection(view).map((at) => lines[at]?.newNumber ?? lines[at]?.oldNumber);
  return first === last ? `line ${first}` : `lines ${first}–${last}`;
}

/** Returns the sizes of a change, in their colors. */
export function sizesLabel(
  {added, removed}: Pick<ReviewedFile, 'added' | 'removed'>,
  {paint, symbols}: Pick<Theme, 'paint' | 'symbols'>,
): string {
  return `${paint.success(`+${added}`)} ${paint.error(`${symbols.minus}${removed}`)}`;
}
