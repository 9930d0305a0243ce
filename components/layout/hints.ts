import {fittingHints, shownHints, type Hint} from '../../src/app/keymap/hints.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Theme} from '../theme/theme.tsx';

/** Returns a line of hints: the keys bright, as they are, and the words dim. */
export function styledHints(hints: readonly Hint[], {paint}: Pick<Theme, 'paint'>): string {
  const styled = shownHints(hints).map((hint) =>
    typeof hint === 'string'
      ? paint.dim(sanitizeLine(hint))
      : hint[0] + (hint[1] && paint.dim(` ${hint[1]}`)),
  );
  return styled.join(paint.dim(' · '));
}

/** Returns as many of the hints as fit in a line. */
export function fittingLine(hints: readonly Hint[], columns: number, theme: Pick<Theme, 'paint'>): string {
  return truncate(styledHints(fittingHints(hints, columns), theme), columns);
}
