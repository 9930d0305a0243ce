import {STATUS_LETTERS, type ReviewedFile, type ReviewStatus} from '../../src/session/review.ts';
import type {Theme} from '../theme/theme.tsx';

/** Returns the letter of a file's status, in its color. */
export function statusLetter(status: ReviewStatus, {paint}: Theme): string {
  const letter = STATUS_LETTERS[status];
  if (status === 'added') return paint.success(letter);
  return status === 'deleted' ? paint.error(letter) : paint.warning(letter);
}

/** Returns the sizes of a change, in their colors. */
export function sizesLabel(
  {added, removed}: Pick<ReviewedFile, 'added' | 'removed'>,
  {paint, symbols}: Pick<Theme, 'paint' | 'symbols'>,
): string {
  return `${paint.success(`+${added}`)} ${paint.error(`${symbols.minus}${removed}`)}`;
}
